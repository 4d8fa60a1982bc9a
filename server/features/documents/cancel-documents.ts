import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { wasSentToSign } from '#server/db/signing-sessions/session-documents.ts'
import { ChosenDocuments } from '#server/domain/documents/chosen.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { cancellingAction } from '#server/domain/documents/uploaded-by-mistake.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { problemIn } from '#server/domain/installation/database-unreachable.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { cancelDocument } from './cancel-document.ts'

export const CancelDocuments = z.object({ documentIds: ChosenDocuments, reason: Reason })
export type CancelDocuments = z.infer<typeof CancelDocuments>

export type CancelledDocuments = {
  cancelled: Document[]
  refused: { document: Document; problem: Problem }[]
}

/**
 * Cancels several drafts, each as `cancelDocument` does and in a transaction of its own: one that is refused holds no other up.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` if the office has none of them
 */
export async function cancelDocuments(
  system: System,
  actor: Actor,
  { documentIds, reason }: CancelDocuments,
): Promise<CancelledDocuments> {
  const { documents } = await findChosen(system, actor, documentIds)
  const outcome: CancelledDocuments = { cancelled: [], refused: [] }
  for (const document of documents) {
    const last = outcome.refused.at(-1)?.problem
    // Does not wait for the database once a document.
    const problem =
      last?.code === 'database-unreachable'
        ? last
        : await problemOf(cancelDocument(system, actor, { documentId: document.id, reason }))
    if (problem) outcome.refused.push({ document, problem })
    else outcome.cancelled.push(document)
  }
  return outcome
}

async function problemOf(work: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    const problem = problemIn(error)
    if (!problem) throw error
    return problem
  }
}

export type CancellableDocuments = {
  drafts: Document[]
  /** Not theirs to cancel: another user's uploads, or sent to be signed. */
  ofOthers: Document[]
  noDrafts: Document[]
}

/**
 * The chosen documents by whether the actor may cancel them, for the form.
 *
 * @throws {Problem} see `cancelDocuments`
 */
export async function listCancellable(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentIds }: Pick<CancelDocuments, 'documentIds'>,
): Promise<CancellableDocuments> {
  const { person, documents } = await findChosen(system, actor, documentIds)
  const drafts: Document[] = []
  const ofOthers: Document[] = []
  for (const document of documents.filter(isDraft)) {
    const sent = { wasSentToSign: await wasSentToSign(system.db, document.id) }
    const action = cancellingAction(document, person.userId, sent)
    const list = isAllowed(person.roles, action) ? drafts : ofOthers
    list.push(document)
  }
  return { drafts, ofOthers, noDrafts: documents.filter((document) => !isDraft(document)) }
}

const isDraft = ({ state }: Document) => state === 'draft'

async function findChosen(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  documentIds: readonly DocumentId[],
): Promise<{ person: Person; documents: Document[] }> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document.withdraw-own', own, clock.now())
  const found = await findDocuments(db, documentIds)
  const documents = documentIds
    .flatMap((id) => found.get(id) ?? [])
    .filter(({ officeId }) => officeId === person.officeId)
  if (documents.length === 0) throw new Problem('not-found', 'no document of the office')
  return { person, documents }
}
