import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#server/db/database.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import { appendAlone, eventFrom, type NewEvent, type RecordedEvent } from './audit-events.ts'

/**
 * Appends events that stand alone: those of a view, a download or an export, with which nothing else is stored. Events of one
 * office that come while others are committed wait for the next commit, and share it.
 *
 * `append` and `appendAll` throw a `Problem`: `log-busy` if too many wait, `commit-unknown` if the events may be in the log or not. Must not be
 * called inside of a transaction.
 */
export type EventQueue = {
  /** Committed once it returns. */
  append(event: NewEvent): Promise<RecordedEvent>
  /** Appends events of one office together, in this order: all of them or none. Committed once it returns. */
  appendAll(events: readonly NewEvent[]): Promise<RecordedEvent[]>
  /** Events that wait for their commit, of all offices. */
  waiting(): number
  /** Resolves when no event waits. */
  drain(): Promise<void>
}

/** Of one office, those that are being committed among them. */
export const WAITING_EVENTS = 1000
/** Of one office, as JSON. */
export const WAITING_BYTES = 2 * 1024 * 1024
/** Of all offices together. */
export const WAITING_BYTES_IN_ALL = 16 * 1024 * 1024
/** In one transaction: other writers of the log wait for so many at most. */
const BATCH = 64
const RETRY_AFTER = seconds(2)

type Appending = Pick<Database, 'dialect' | 'transaction' | 'executeAlone'>

/** What one call appends. */
type Entry = {
  events: readonly AuditEvent[]
  bytes: number
  outcome: PromiseWithResolvers<RecordedEvent[]>
}

/** The entries of one office. */
type Line = {
  waiting: Entry[]
  /** Of entries without an outcome. */
  events: number
  bytes: number
  /** Resolves when none waits. */
  ended: Promise<void>
}

/**
 * Keeps the events that wait in memory: if we crash they are lost, and none of their requests was answered. A batch is of one
 * office, so that it never spans two logs, also while the office gets a log of its own.
 */
export function openEventQueue(db: Appending & Pick<Database, 'isInTransaction'>): EventQueue {
  const lines = new Map<OfficeId | null, Line>()
  let bytesInAll = 0
  // A batch is no work of the request that happens to be its first.
  const outsideRequests = AsyncLocalStorage.snapshot()

  async function add(inputs: readonly NewEvent[]): Promise<RecordedEvent[]> {
    // The transaction would wait for the queue, and the queue for its connection.
    if (db.isInTransaction()) throw new Error('the event queue was used inside of a transaction')
    const entry = entryOf(inputs.map(eventFrom))
    const officeId = officeOf(entry)
    const line = lines.get(officeId) ?? emptyLine()
    if (isFull(line, entry) || isOver(bytesInAll, entry.bytes, WAITING_BYTES_IN_ALL))
      throw new Problem('log-busy', `${line.events} events wait`, { retryAfter: RETRY_AFTER })
    const count = (sign: 1 | -1) => {
      line.events += sign * entry.events.length
      line.bytes += sign * entry.bytes
      bytesInAll += sign * entry.bytes
    }
    count(1)
    line.waiting.push(entry)
    if (!lines.has(officeId)) {
      lines.set(officeId, line)
      line.ended = outsideRequests(() => work(officeId, line))
    }
    try {
      return await entry.outcome.promise
    } finally {
      count(-1)
    }
  }

  /** Commits batch after batch. The first event goes at once; those that come meanwhile are the next batch. */
  async function work(officeId: OfficeId | null, line: Line): Promise<void> {
    while (line.waiting.length > 0) await commitNext(db, line.waiting)
    lines.delete(officeId)
  }

  return {
    async append(event) {
      const [recorded] = await add([event])
      if (!recorded) throw new Error('no event was appended')
      return recorded
    },
    appendAll: async (events) => (events.length === 0 ? [] : await add(events)),
    waiting: () => lines.values().reduce((sum, { events }) => sum + events, 0),
    async drain() {
      while (lines.size > 0) await Promise.all(lines.values().map(({ ended }) => ended))
    },
  }
}

const emptyLine = (): Line => ({ waiting: [], events: 0, bytes: 0, ended: Promise.resolve() })

const entryOf = (events: readonly AuditEvent[]): Entry => ({
  events,
  bytes: Buffer.byteLength(JSON.stringify(events)),
  outcome: Promise.withResolvers(),
})

function officeOf({ events }: Entry): OfficeId | null {
  const [officeId = null, ...others] = new Set(events.map((event) => event.officeId))
  if (others.length > 0) throw new Error('one entry has events of several offices')
  return officeId
}

const isFull = (line: Line, { events, bytes }: Entry) =>
  isOver(line.events, events.length, WAITING_EVENTS) || isOver(line.bytes, bytes, WAITING_BYTES)

/** An entry that is larger than the limit by itself is taken when nothing waits: it could never be appended otherwise. */
const isOver = (held: number, more: number, most: number) => held > 0 && held + more > most

/** Takes the entries of the next transaction: as many as fit, and at least one. */
function takeBatch(waiting: Entry[]): Entry[] {
  let events = 0
  const behind = waiting.findIndex((entry) => {
    const isNext = isOver(events, entry.events.length, BATCH)
    events += entry.events.length
    return isNext
  })
  return waiting.splice(0, behind === -1 ? waiting.length : behind)
}

/**
 * Appends the next entries in one transaction. If that fails, each gets one of its own, so that only those fail that cannot be
 * appended. If its end is unknown, all are told so: a second try could append them twice. If the database is away, each would wait
 * for it in turn.
 */
async function commitNext(db: Appending, waiting: Entry[]): Promise<void> {
  let batch: Entry[] = []
  // Those that come while a connection is waited for belong to the batch, too.
  const take = () => {
    if (batch.length === 0) batch = takeBatch(waiting)
    return batch.flatMap(({ events }) => events)
  }
  try {
    const recorded = await appendAlone(db, take)
    let from = 0
    for (const { events, outcome } of batch) {
      outcome.resolve(recorded.slice(from, from + events.length))
      from += events.length
    }
  } catch (error) {
    take()
    if (batch.length > 1 && !concernsAll(error))
      for (const entry of batch) await commitNext(db, [entry])
    else for (const { outcome } of batch) outcome.reject(error)
  }
}

/** Whether one entry alone would meet the same. */
const concernsAll = (error: unknown) =>
  error instanceof DatabaseUnreachable || isProblem(error, 'commit-unknown')
