import { Problem } from '#server/domain/problem.ts'
import type { Document, DocumentState } from './document.ts'

/** The next states of each state. Cancelled and rejected are final. */
const NEXT: Record<DocumentState, readonly DocumentState[]> = {
  draft: ['signing', 'signed', 'rejected', 'cancelled'],
  // Back to a draft if its session ends before the first signature.
  signing: ['signing', 'signed', 'rejected', 'cancelled', 'draft'],
  // Final: a further signature goes through a signing session, and its public page answers for ever.
  signed: ['signing'],
  rejected: [],
  cancelled: [],
}

/** Whether the document will never be signed: its instrument number is unused. */
export const leavesNumber = (state: DocumentState): boolean => NEXT[state].length === 0

export function isTransition(from: DocumentState, to: DocumentState): boolean {
  return NEXT[from].includes(to)
}

/**
 * Checks that the document takes a signature now.
 *
 * @throws {Problem} `document-final` once it is complete; `wrong-state`
 */
export function mustTakeSignatures(document: Pick<Document, 'id' | 'state'>) {
  if (document.state === 'signed') throw new Problem('document-final', `${document.id} is complete`)
  mustBeAbleToBecome(document, 'signed')
}

/** @throws {Problem} `wrong-state` when the document cannot become `to` */
export function mustBeAbleToBecome(document: Pick<Document, 'id' | 'state'>, to: DocumentState) {
  if (!isTransition(document.state, to))
    throw new Problem('wrong-state', `${document.id} is ${document.state}, it cannot become ${to}`)
}
