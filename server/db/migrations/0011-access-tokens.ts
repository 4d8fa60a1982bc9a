import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Access tokens for programs. */
export async function createAccessTokens(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('access_tokens')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('last_used_at', instant)
    .addColumn('revoked_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('access_tokens_by_user')
    .on('access_tokens')
    .columns(['user_id', 'created_at'])
    .execute()
}
