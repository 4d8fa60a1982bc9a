import { type OneDocument, type OpenedEfirma, signOne } from './sign-one.ts'
import type { Refused } from './signing-server.ts'

export type BatchDocument = Pick<OneDocument, 'documentSha256' | 'server'>

/**
 * `later`: another person is signing it, and it comes again when the others are done. `unsure`: no answer said
 * whether it was signed.
 */
export type RowState = 'signing' | 'later' | 'waiting' | 'signed' | 'refused' | 'left' | 'unsure'

export type BatchTask = Pick<OneDocument, 'timing'> & {
  documents: readonly BatchDocument[]
  /** Ends the batch after the documents that are being signed. */
  stop: AbortSignal
  /** @param sentence why, of a document that was refused */
  onRow(index: number, state: RowState, sentence?: string): void
}

/** `broken` when what went wrong would go wrong with every other document too. */
export type BatchOutcome = { kind: 'done' } | { kind: 'stopped' } | { kind: 'broken'; why: Refused }

/** What concerns the key, the session of this browser or the office, and not one document. */
const CONCERNS_ALL = [
  'no-connection',
  'completion-lost',
  'not-signed-in',
  'signing-link-over',
  'cross-site',
  'password-change-needed',
  'second-factor-needed',
  'step-up-needed',
  'presence-needed',
  'timestamp-unavailable',
  'other-document',
]

/**
 * So many documents are on their way at once: most of the time of each is spent on the line and in the server's
 * queue. The first goes alone, because what concerns all shows there.
 */
const AT_ONCE = 4

/**
 * Signs documents with one key. What cannot be signed is told and left; what another person is signing comes
 * again at the end. Whatever ends the batch, what has begun is finished.
 */
export async function signBatch(efirma: OpenedEfirma, task: BatchTask): Promise<BatchOutcome> {
  const all = [...task.documents.keys()]
  const first = await signEach(efirma, task, all, 0)
  const last = first.end ? first : await signEach(efirma, task, first.taken)
  // Their rows say that they come again at the end.
  for (const row of first.end ? first.taken : last.left) task.onRow(row, 'left')
  return last.end ?? { kind: 'done' }
}

/** `end` when those in `left` were not begun. */
type EachOutcome = {
  taken: number[]
  left: readonly number[]
  end?: Exclude<BatchOutcome, { kind: 'done' }>
}

async function signEach(
  efirma: OpenedEfirma,
  task: BatchTask,
  rows: readonly number[],
  patience?: number,
): Promise<EachOutcome> {
  const left = [...rows]
  const outcome: EachOutcome = { taken: [], left }
  const signNext = async () => {
    if (left.length > 0 && task.stop.aborted) outcome.end ??= { kind: 'stopped' }
    if (outcome.end) return
    const row = left.shift()
    if (row === undefined) return
    const said = await signRow(efirma, task, row, patience)
    if (said === 'taken') outcome.taken.push(row)
    else if (said) outcome.end ??= said
  }
  const signOn = async () => {
    while (left.length > 0 && !outcome.end) await signNext()
  }
  await signNext()
  await Promise.all(Array.from({ length: AT_ONCE }, signOn))
  return outcome
}

/** Nothing for a document that is signed, or refused for itself. */
async function signRow(
  efirma: OpenedEfirma,
  { documents, stop, onRow, timing }: BatchTask,
  row: number,
  patience: number | undefined,
): Promise<EachOutcome['end'] | 'taken'> {
  const document = documents[row]
  if (!document) throw new RangeError(`no document ${row}`)
  onRow(row, 'signing')
  const outcome = await signOne(efirma, {
    ...document,
    stop,
    onStep: (step) => step === 'waiting' && onRow(row, 'waiting'),
    ...(patience !== undefined && { patience }),
    ...(timing && { timing }),
  })
  if (outcome.kind === 'signed') return void onRow(row, 'signed')
  if (outcome.kind === 'stopped') {
    onRow(row, 'left')
    return outcome
  }
  if (concernsAll(outcome)) {
    onRow(row, outcome.code === 'completion-lost' ? 'unsure' : 'left')
    return { kind: 'broken', why: outcome }
  }
  if (patience === 0 && outcome.code === 'someone-signing') {
    onRow(row, 'later')
    return 'taken'
  }
  onRow(row, 'refused', outcome.sentence)
}

const concernsAll = ({ field, code = '' }: Refused) =>
  field === 'certificate' || CONCERNS_ALL.includes(code)
