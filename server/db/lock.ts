import { PostgresAdapter, sql } from 'kysely'
import type { DialectName } from '#server/db/migrations/columns.ts'
import type { Transaction } from './transaction.ts'

/**
 * Lets one transaction at a time past this point, until it ends. SQLite has one writer anyway. Locks are
 * always taken in this order, so that no two transactions wait for each other: the row of a person, factors
 * (and their rows and sign-ins), access tokens, links, sessions, a signing session, leases, rows of what is
 * prepared, rows of documents by their id, folios or authorities, audit. Nobody who holds leases asks for a
 * signing session. Checkpoints of the log have a lock of their own: whoever holds it asks for no other.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export async function lockUntilCommit(trx: Transaction, name: string): Promise<void> {
  if (dialectOf(trx) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/** Which database stands behind a transaction. */
function dialectOf(trx: Transaction): DialectName {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
