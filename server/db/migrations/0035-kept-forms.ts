import type { Kysely } from 'kysely'
import type { DialectName } from './columns.ts'

/**
 * A form that came after its session was over is kept for its user until the next sign-in, beside those that wait for a
 * step-up.
 */
export async function keepForms(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('kept_requests')
    .addColumn('purpose', 'text', (c) => c.notNull().defaultTo('step-up'))
    .execute()
  // Null for a step-up, which the session itself resumes.
  await schema
    .alterTable('kept_requests')
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .execute()
  await schema
    .createIndex('kept_requests_by_user')
    .on('kept_requests')
    .columns(['user_id', 'expires_at'])
    .execute()
}
