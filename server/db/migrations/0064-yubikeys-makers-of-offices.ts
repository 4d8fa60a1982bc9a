import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Each office decides for itself which certificates of the maker of its keys it trusts. */
export async function separateMakers(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema.alterTable('maker_certificates').renameTo('maker_certificates_of_all').execute()
  await db.schema
    .createTable('maker_certificates')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('der', bytes, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('maker_certificates_key', ['office_id', 'sha256'])
    .modifyEnd(tableOptions)
    .execute()
  await sql`insert into maker_certificates (office_id, sha256, der, name, state, reason, state_since, state_by)
    select users.office_id, sha256, der, name, maker_certificates_of_all.state, reason,
      maker_certificates_of_all.state_since, maker_certificates_of_all.state_by
    from maker_certificates_of_all
    join users on users.id = maker_certificates_of_all.state_by`.execute(db)
  await db.schema.dropTable('maker_certificates_of_all').execute()
}
