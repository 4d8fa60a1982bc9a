import { type OneDocument, type OpenedEfirma, signOne } from './sign-one.ts'
import type { Refused } from './signing-server.ts'

export type BatchDocument = Pick<OneDocument, 'documentSha256' | 'server'>

/**
 * `later`: another person is signing the document; it is retried at the end. `unsure`: no response
 * confirmed the signature.
 */
export type RowState = 'signing' | 'later' | 'waiting' | 'signed' | 'refused' | 'left' | 'unsure'

export type BatchTask = Pick<OneDocument, 'timing'> & {
  documents: readonly BatchDocument[]
  /** Stops the batch once the documents in progress are done. */
  stop: AbortSignal
  /** @param sentence the reason if the document was refused */
  onRow(index: number, state: RowState, sentence?: string): void
}

/** `broken` if the failure would affect every other document too. */
export type BatchOutcome = { kind: 'done' } | { kind: 'stopped' } | { kind: 'broken'; why: Refused }

/** Problems with the key, the session or the office, not with one document. */
const AFFECTS_ALL = [
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
 * Documents in progress at a time: most of the time of each goes to the network and the server's queue. The
 * first runs alone because it reveals problems that affect all.
 */
const CONCURRENT = 4

/**
 * Signs documents with one key. A refused document is reported and skipped; one that another person is
 * signing is retried at the end. Documents in progress are finished even if the batch stops.
 */
export async function signBatch(efirma: OpenedEfirma, task: BatchTask): Promise<BatchOutcome> {
  const all = [...task.documents.keys()]
  const first = await signEach(efirma, task, all, 0)
  const last = first.end ? first : await signEach(efirma, task, first.taken)
  // Their rows say that they will be retried.
  for (const row of first.end ? first.taken : last.left) task.onRow(row, 'left')
  return last.end ?? { kind: 'done' }
}

/** `end` is set if the documents in `left` were not started. */
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
  await Promise.all(Array.from({ length: CONCURRENT }, signOn))
  return outcome
}

/** Returns undefined if the document was signed or refused on its own. */
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
  if (affectsAll(outcome)) {
    onRow(row, outcome.code === 'completion-lost' ? 'unsure' : 'left')
    return { kind: 'broken', why: outcome }
  }
  if (patience === 0 && outcome.code === 'someone-signing') {
    onRow(row, 'later')
    return 'taken'
  }
  onRow(row, 'refused', outcome.sentence)
}

const affectsAll = ({ field, code = '' }: Refused) =>
  field === 'certificate' || AFFECTS_ALL.includes(code)
