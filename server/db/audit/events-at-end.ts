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

/** Runs what a transaction does, then appends its events: on PostgreSQL together with COMMIT, in one round trip. */
export async function withEventsAtEnd<T>(trx: Transaction, work: () => Promise<T>): Promise<T> {
  const connection = await connectionOf(trx)
  const events: AuditEvent[] = []
  waiting.set(connection, events)
  try {
    const result = await work()
    if (events.length === 0) return result
    if (dialectOf(trx) === 'postgres') commitWith(connection, appendText(events))
    else await appendToLogs(trx, events)
    return result
  } finally {
    waiting.delete(connection)
  }
}

const connectionOf = (trx: Transaction): Promise<DatabaseConnection> =>
  trx.getExecutor().provideConnection(async (connection) => connection)
