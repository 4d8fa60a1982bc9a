import {
  findNewestCheckpoint,
  listCheckpoints,
  withoutStored,
} from '#server/db/audit/audit-checkpoints.ts'
import { appendSystemEvent, listStoredLeaves } from '#server/db/audit/audit-events.ts'
import { countEvents } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { readUnproven } from '#server/domain/audit/checkpoint.ts'
import type { Log } from '#server/domain/audit/log.ts'
import { bytesOfLine, type ExportedLine } from '#server/domain/audit/log-export.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { seconds } from '#server/domain/time.ts'
import { type Checkpointing, checkpointLog } from './checkpoint-log.ts'

/** Events or checkpoints read at a time; SQLite reads them on the thread that serves requests. */
const AT_A_TIME = 100
/** Limit for checkpoints that only the file has; there are none unless the database was changed. */
const MOST_UNKNOWN = 1000

export type WholeLog = {
  /** Why the end of the log could not be signed; undefined if it was signed. */
  fault: LogFault | undefined
  /** Number of newer events, which no checkpoint covers; they are left out. */
  later: number
  /** The lines, without line ends. */
  lines: AsyncGenerator<Uint8Array>
}

type Note = { size: number; note: string }

/**
 * A log with every checkpoint of the database and of the file, up to the last checkpoint, which covers the event of this
 * export. If the end could not be signed, exports everything as stored. Of a closed log, exports all; the event is in the
 * log that goes on.
 */
export async function exportWholeLog(system: Checkpointing, log: Log): Promise<WholeLog> {
  const { db, clock } = system
  await db.transaction((trx) =>
    appendSystemEvent(trx, {
      by: 'rubrica audit export',
      at: clock.now(),
      officeId: log.officeId,
      action: 'audit.exported',
      subject: { kind: 'nothing' },
      result: 'success',
      details: { format: 'whole' },
    }),
  )
  const fault = await checkpointLog(system, log, { pause: seconds(0) })
  const { signed, events } = await extentOf(db, log)
  const end = fault ? events : signed
  const lines = logLines(system, log, { signed, end })
  return { fault, later: events - end, lines: inBytes(lines) }
}

async function* inBytes(lines: AsyncIterable<ExportedLine>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield bytesOfLine(line)
}

/** The log and every checkpoint; incomplete if stopped. */
export async function* wholeLog(
  system: Checkpointing,
  log: Log,
  stopping?: AbortSignal,
): AsyncGenerator<ExportedLine> {
  const { signed, events } = await extentOf(system.db, log)
  yield* logLines(system, log, { signed, end: events }, stopping)
}

/** Counts all events and the signed ones. */
async function extentOf(db: Database, { number }: Log) {
  // Read in this order: events exist before the checkpoint that counts them.
  const signed = (await findNewestCheckpoint(db, number))?.size ?? 0
  return { signed, events: await countEvents(db, number) }
}

async function* logLines(
  system: Checkpointing,
  log: Log,
  { signed, end }: { signed: number; end: number },
  stopping?: AbortSignal,
): AsyncGenerator<ExportedLine> {
  const { db, settings } = system
  yield { kind: 'head', key: settings.logKeys(log).verifier }
  const notes = inOrder(stored(db, log, signed), await unknownNotes(system, log, stopping))
  let next = await notes.next()
  for await (const leaf of leavesBefore(db, log, end)) {
    for (; !next.done && next.value.size <= leaf.seq; next = await notes.next())
      yield { kind: 'checkpoint', note: next.value.note }
    yield { kind: 'event', leaf: leaf.leafHash, canonical: leaf.canonical }
  }
  for (; !next.done; next = await notes.next()) yield { kind: 'checkpoint', note: next.value.note }
}

async function* leavesBefore(db: Database, { number }: Log, end: number) {
  let from = 0
  while (from < end) {
    const leaves = await listStoredLeaves(db, number, { from, limit: AT_A_TIME })
    yield* leaves.filter(({ seq }) => seq < end)
    from = (leaves.at(-1)?.seq ?? end) + 1
  }
}

async function* stored(db: Database, { number }: Log, last: number): AsyncGenerator<Note> {
  let behind = 0
  while (behind < last) {
    const checkpoints = await listCheckpoints(db, number, { behind, limit: AT_A_TIME })
    yield* checkpoints.filter(({ size }) => size <= last)
    behind = checkpoints.at(-1)?.size ?? last
  }
}

/** Checkpoints that only the file has, smallest first; if there are too many, the first and the last. */
async function unknownNotes(
  { db, checkpoints }: Checkpointing,
  log: Log,
  stopping: AbortSignal | undefined,
): Promise<Note[]> {
  const unknown: Note[] = []
  for await (const notes of inBatches(checkpoints.of(log).list())) {
    if (stopping?.aborted) break
    for (const note of await withoutStored(db, log.number, notes)) {
      if (unknown.length === MOST_UNKNOWN) unknown.pop()
      unknown.push(note)
    }
  }
  return unknown.toSorted((a, b) => a.size - b.size)
}

async function* inBatches(notes: AsyncIterable<string>): AsyncGenerator<Note[]> {
  let batch: Note[] = []
  for await (const note of notes) {
    batch.push({ size: readUnproven(note)?.size ?? 0, note })
    if (batch.length < AT_A_TIME) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* inOrder(notes: AsyncIterable<Note>, others: readonly Note[]): AsyncGenerator<Note> {
  const waiting = [...others]
  for await (const note of notes) {
    while (waiting[0] && waiting[0].size <= note.size) yield waiting.shift()!
    yield note
  }
  yield* waiting
}
