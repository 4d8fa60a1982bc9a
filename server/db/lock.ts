import { PostgresAdapter, sql } from 'kysely'
import type { DialectName } from '#server/db/migrations/columns.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { inChunks } from './in-chunks.ts'
import type { Transaction } from './transaction.ts'

/**
 * Serializes transactions on a name until they end. SQLite has one writer anyway. To avoid deadlocks, take
 * locks in this order: vain attempts, the people of an office, a YubiKey, the row of a user, factors (with their rows and sign-ins), links,
 * access tokens, sessions, a signing session, the parties of an office, the copies of a document, leases, folios, numbers, rows of prepared
 * signatures, rows of documents by id, obligations of an office, authorities, the judgement of an upload, the logs of offices by the ids of the offices, the log of the installation. Those of uploads of an office, of one upload, or of the
 * views of a user, are held alone. A holder of leases never locks a signing session. The lock of checkpoints is
 * separate: its holder takes no other, nor does that of the keys of the installation. What closes a log takes it last.
 *
 * @see https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
 */
export async function lockUntilCommit(trx: Transaction, name: string): Promise<void> {
  if (dialectOf(trx) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/** Locks the rows of these documents in the order of their ids. */
export async function lockDocuments(trx: Transaction, ids: readonly DocumentId[]): Promise<void> {
  if (dialectOf(trx) !== 'postgres') return
  await inChunks(ids.toSorted(), (chunk) =>
    trx
      .selectFrom('documents')
      .select('id')
      .where('id', 'in', chunk)
      .orderBy('id')
      .forUpdate()
      .execute(),
  )
}

/** The database of a transaction. */
export function dialectOf(trx: Transaction): DialectName {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
