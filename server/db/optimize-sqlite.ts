import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Transaction } from './transaction.ts'

/** Rows of an index that are looked at: enough to tell a few from many, and no more in a table of millions. */
const SAMPLE = 400

/**
 * Renews what the planner knows about tables that have grown or were never looked at, one table in a transaction: all at
 * once would keep requests and writers waiting for a second.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_optimize
 */
export async function optimizeSqlite(
  inTransaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
): Promise<void> {
  // A transaction waits for the writer of another process. With this mask the statements are told, and not run.
  const { rows } = await inTransaction((trx) =>
    sql<{ optimize: string }>`pragma optimize(-1)`.execute(trx),
  )
  for (const statement of rows.flatMap((row) => Object.values(row))) {
    if (!statement.startsWith('ANALYZE')) continue
    await inTransaction(async (trx) => {
      await sql`pragma analysis_limit = ${sql.lit(SAMPLE)}`.execute(trx)
      await sql.raw(statement).execute(trx)
    })
    await turn()
  }
}
