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

/**
 * Rejects what SQLite calls a replacement: `insert or replace` deletes the row that has the same key without
 * running the triggers of deletes. PostgreSQL has no such statement, and its upsert is an update.
 *
 * @param repeated what an insert with a key that exists does: fails, or is skipped for tables that are filled
 *   with `on conflict do nothing`
 * @see https://www.sqlite.org/lang_conflict.html
 */
export async function refuseReplacement(
  db: Kysely<unknown>,
  dialect: DialectName,
  table: string,
  repeated: 'fails' | 'is skipped',
): Promise<void> {
  if (dialect === 'postgres') return
  const raise =
    repeated === 'fails'
      ? sql`raise(abort, ${sql.lit(`${table} is append-only`)})`
      : sql`raise(ignore)`
  const keys = await uniqueKeysOf(db, table)
  const isTaken = keys.map((columns) => {
    const same = columns.map((column) => sql`${sql.id(column)} = new.${sql.id(column)}`)
    return sql`exists (select 1 from ${sql.table(table)} where ${sql.join(same, sql` and `)})`
  })
  await sql`create trigger ${sql.id(`${table}_refuses_replacement`)} before insert on ${sql.table(table)}
    when ${sql.join(isTaken, sql` or `)} begin select ${raise}; end`.execute(db)
}

/** The columns of each key of a row, its row number among them: `insert or replace` replaces by that, too. */
async function uniqueKeysOf(db: Kysely<unknown>, table: string): Promise<string[][]> {
  const { rows } = await sql<{ index: string; column: string }>`
    select i.name as "index", c.name as "column"
    from pragma_index_list(${table}) as i, pragma_index_info(i.name) as c
    where i."unique" = 1 order by i.name, c.seqno`.execute(db)
  const byIndex = Map.groupBy(rows, ({ index }) => index)
  return [['rowid'], ...byIndex.values().map((columns) => columns.map(({ column }) => column))]
}
