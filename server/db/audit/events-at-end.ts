import type { DatabaseConnection } from 'kysely'
import { dialectOf } from '#server/db/lock.ts'
import { commitWith } from '#server/db/postgres-dialect.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { appendText, appendToLogs } from './log-end.ts'

/** The events that running transactions append at their end. A connection has one transaction. */
const waiting = new WeakMap<DatabaseConnection, AuditEvent[]>()

/**
 * Appends events when nothing else is left of the transaction, so that it holds no log while other statements run.
 *
 * @throws {Error} outside of `Database.transaction`, where nothing would append them
 */
export async function appendAtEnd(trx: Transaction, events: readonly AuditEvent[]): Promise<void> {
  const held = waiting.get(await connectionOf(trx))
  if (!held) throw new Error('this transaction appends no events')
  held.push(...events)
}

/** Runs what a transaction does, then appends its events, those of an office in their order: on PostgreSQL together with COMMIT, in one round trip. */
export async function withEventsAtEnd<T>(trx: Transaction, work: () => Promise<T>): Promise<T> {
  const connection = await connectionOf(trx)
  const events: AuditEvent[] = []
  waiting.set(connection, events)
  try {
    const result = await work()
    if (events.length === 0) return result
    const ordered = inOrderOfLogs(events)
    if (dialectOf(trx) === 'postgres') commitWith(connection, appendText(ordered))
    else await appendToLogs(trx, ordered)
    return result
  } finally {
    waiting.delete(connection)
  }
}

/**
 * By office, the installation last; those of an office stay in their order. Each log is locked when its first event is appended: in one
 * order, two transactions never wait for each other.
 */
const inOrderOfLogs = (events: readonly AuditEvent[]): AuditEvent[] =>
  events.toSorted(({ officeId: one }, { officeId: other }) => {
    if (one === other) return 0
    if (one === null || other === null) return one === null ? 1 : -1
    return one < other ? -1 : 1
  })

const connectionOf = (trx: Transaction): Promise<DatabaseConnection> =>
  trx.getExecutor().provideConnection(async (connection) => connection)
