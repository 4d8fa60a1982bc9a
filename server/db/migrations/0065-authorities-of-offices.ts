import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Each office may decide about authorities for itself, before what the installation decided. */
export async function scopeAuthorities(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema.alterTable('authorities').renameTo('authorities_of_all').execute()
  await db.schema
    .createTable('authorities')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('der', bytes, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('revocation', 'text', (c) => c.notNull())
    .addColumn('ocsp', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .addPrimaryKeyConstraint('authorities_scope_key', ['scope', 'sha256'])
    .modifyEnd(tableOptions)
    .execute()
  await sql`insert into authorities
      (scope, sha256, der, state, revocation, ocsp, reason, state_since, state_by)
    select 'installation', sha256, der, state, revocation, ocsp, reason, state_since, state_by
    from authorities_of_all`.execute(db)
  await db.schema.dropTable('authorities_of_all').execute()
}
