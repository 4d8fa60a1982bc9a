import { type Kysely, sql } from 'kysely'
import type { DialectName } from './columns.ts'

/** Makes a table append-only: updates and deletes are rejected. */
export async function makeAppendOnly(
  db: Kysely<unknown>,
  dialect: DialectName,
  table: string,
): Promise<void> {
  if (dialect === 'postgres') await onPostgres(db, table)
  else await onSqlite(db, table)
}

async function onSqlite(db: Kysely<unknown>, table: string) {
  for (const verb of ['update', 'delete'])
    await sql`create trigger ${sql.id(`${table}_refuses_${verb}`)} before ${sql.raw(verb)} on ${sql.table(table)}
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(db)
}

async function onPostgres(db: Kysely<unknown>, table: string) {
  await sql`create or replace function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$`.execute(db)
  // Per statement, to reject TRUNCATE too.
  await sql`create trigger ${sql.id(`${table}_append_only`)}
    before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db)
}
