import { type OneDocument, type OneOutcome, type OpenedEfirma, signOne } from './sign-one.ts'
import type { Refused } from './signing-server.ts'

export type BatchDocument = Pick<OneDocument, 'documentSha256' | 'server'>

/** `later`: another person is signing it, and it comes again when the others are done. */
export type RowState = 'signing' | 'later' | 'waiting' | 'signed' | 'refused' | 'left'

export type BatchTask = Pick<OneDocument, 'timing'> & {
  documents: readonly BatchDocument[]
  /** Ends the batch after the document that is being signed. */
  stop: AbortSignal
  /** @param sentence why, of a document that was refused */
  onRow(index: number, state: RowState, sentence?: string): void
}

/** `broken` when what went wrong would go wrong with every other document too. */
export type BatchOutcome = { kind: 'done' } | { kind: 'stopped' } | { kind: 'broken'; why: Refused }

/** What concerns the key, the session of this browser or the office, and not one document. */
const CONCERNS_ALL = [
  'no-connection',
  'not-signed-in',
  'signing-link-spent',
  'cross-site',
  'password-change-needed',
  'second-factor-needed',
  'step-up-needed',
  'presence-needed',
  'timestamp-unavailable',
  'other-document',
]

/**
 * Signs one document after the other with one key. What cannot be signed is told and left; what another
 * person is signing comes again at the end.
 */
export async function signBatch(efirma: OpenedEfirma, task: BatchTask): Promise<BatchOutcome> {
  const all = [...task.documents.keys()]
  const first = await signEach(efirma, task, all, 0)
  const last = first.kind === 'done' ? await signEach(efirma, task, first.taken) : first
  return last.kind === 'done' ? { kind: 'done' } : last
}

type EachOutcome = { kind: 'done'; taken: number[] } | Exclude<BatchOutcome, { kind: 'done' }>

async function signEach(
  efirma: OpenedEfirma,
  { documents, stop, onRow, timing }: BatchTask,
  rows: readonly number[],
  patience?: number,
): Promise<EachOutcome> {
  const taken: number[] = []
  for (const row of rows) {
    const document = documents[row]
    if (!document) throw new RangeError(`no document ${row}`)
    if (stop.aborted) return { kind: 'stopped' }
    onRow(row, 'signing')
    const outcome = await signOne(efirma, {
      ...document,
      stop,
      onStep: (step) => step === 'waiting' && onRow(row, 'waiting'),
      ...(patience !== undefined && { patience }),
      ...(timing && { timing }),
    })
    if (isSigned(outcome)) onRow(row, 'signed')
    else if (outcome.kind === 'stopped') {
      onRow(row, 'left')
      return outcome
    } else if (concernsAll(outcome)) {
      onRow(row, 'left')
      return { kind: 'broken', why: outcome }
    } else if (patience === 0 && outcome.code === 'someone-signing') {
      onRow(row, 'later')
      taken.push(row)
    } else onRow(row, 'refused', outcome.sentence)
  }
  return { kind: 'done', taken }
}

/** Also after an answer that was lost on its way: the signature is there. */
const isSigned = (outcome: OneOutcome): outcome is { kind: 'signed' } =>
  outcome.kind === 'signed' || (outcome.kind === 'refused' && outcome.code === 'already-signed')

const concernsAll = ({ field, code = '' }: Refused) =>
  field === 'certificate' || CONCERNS_ALL.includes(code)
