import { type Kysely, sql } from 'kysely'
import type { DialectName } from '#server/db/migrations/columns.ts'
import { lockUntilCommit } from './lock.ts'
import { isKnownStep, migrateTo, migrateWhole } from './migrate.ts'
import type { Tables } from './tables.ts'
import type { Transaction } from './transaction.ts'

/** A later release made the rows: this one does not know their tables. */
export class UnknownStepError extends Error {
  override readonly name = 'UnknownStepError'
}

/** The database has tables already. */
export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError'
}

/**
 * Makes the tables as they were at `step`, loads their rows, and runs the later steps, in one transaction.
 *
 * @param load inserts rows of any tables in any order: their references are checked when it returns
 */
export async function restoreRows(
  db: Kysely<Tables>,
  dialect: DialectName,
  step: string,
  load: (trx: Transaction) => Promise<void>,
): Promise<void> {
  if (!isKnownStep(step)) throw new UnknownStepError(`unknown migration ${step}`)
  await db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'migrations')
    await mustBeEmpty(trx)
    await migrateTo(trx, dialect, step)
    await forgetLogs(trx)
    await (dialect === 'postgres' ? withoutReferences(trx, load) : withLateReferences(trx, load))
    await migrateWhole(trx, dialect)
  })
}

async function mustBeEmpty(trx: Transaction): Promise<void> {
  const tables = await trx.introspection.getTables({ withInternalKyselyTables: true })
  if (tables.length > 0) throw new NotEmptyError('the database has tables')
}

/** The steps make the first log. The rows that are loaded have it, too, and perhaps closed. */
async function forgetLogs(trx: Transaction): Promise<void> {
  const tables = await trx.introspection.getTables()
  if (tables.some(({ name }) => name === 'logs')) await trx.deleteFrom('logs').execute()
}

/** @see https://www.sqlite.org/pragma.html#pragma_defer_foreign_keys */
async function withLateReferences(trx: Transaction, load: (trx: Transaction) => Promise<void>) {
  await sql`pragma defer_foreign_keys = on`.execute(trx)
  await load(trx)
}

/** Takes the references off and puts them back: that checks all rows at once. */
async function withoutReferences(trx: Transaction, load: (trx: Transaction) => Promise<void>) {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    order by 1, 2`.execute(trx)
  for (const { table, name } of rows)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(trx)
  await load(trx)
  for (const { table, name, definition } of rows)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      trx,
    )
}
