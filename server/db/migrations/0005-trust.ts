import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Trusted authorities, and their revocation answers. */
export async function createTrust(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('authorities')
    .addColumn('sha256', 'text', (c) => c.primaryKey().notNull())
    .addColumn('der', bytes, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('revocation', 'text', (c) => c.notNull())
    .addColumn('ocsp', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('state_since', instant, (c) => c.notNull())
    // Null for the command line.
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .modifyEnd(tableOptions)
    .execute()

  await db.schema
    .createTable('revocation_answers')
    .addColumn('certificate_sha256', 'text', (c) => c.notNull())
    .addColumn('issuer_sha256', 'text', (c) => c.notNull())
    // Part of the key: a "revoked" answer must survive a later "unknown".
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('der', bytes, (c) => c.notNull())
    .addColumn('fetched_at', instant, (c) => c.notNull())
    .addColumn('next_update', instant)
    .addPrimaryKeyConstraint('revocation_answers_key', [
      'certificate_sha256',
      'issuer_sha256',
      'status',
    ])
    .modifyEnd(tableOptions)
    .execute()
}
