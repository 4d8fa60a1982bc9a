import { sql } from 'kysely'
import { dialectOf } from '#server/db/lock.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Row } from '#server/domain/backups/row-lines.ts'

/** The tables of the current schema, without those that only say which migrations ran, and those of an index. */
export async function listTables(trx: Transaction): Promise<string[]> {
  const tables = await trx.introspection.getTables()
  const indexes = dialectOf(trx) === 'sqlite' ? await listTablesOfIndexes(trx) : new Set<string>()
  return tables
    .filter(({ name, isView }) => !isView && !indexes.has(name))
    .map(({ name }) => name)
    .toSorted()
}

/** A full-text index of SQLite is a virtual table, with others behind it; triggers fill it. */
async function listTablesOfIndexes(trx: Transaction): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_list where type in ('virtual', 'shadow')`.execute(trx)
  return new Set(rows.map(({ name }) => name))
}

/** The columns of the primary key. @throws {Error} for a table without one: it could not be read in pages */
export async function primaryKeyOf(trx: Transaction, table: string): Promise<string[]> {
  const query = dialectOf(trx) === 'postgres' ? keyOnPostgres(table) : keyOnSqlite(table)
  const { rows } = await query.execute(trx)
  if (rows.length === 0) throw new Error(`table ${table} has no primary key`)
  return rows.map(({ name }) => name)
}

const keyOnSqlite = (table: string) => sql<{ name: string }>`
  select name from pragma_table_info(${table}) where pk > 0 order by pk`

const keyOnPostgres = (table: string) => sql<{ name: string }>`
  select a.attname as name
  from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
  where i.indrelid = ${table}::regclass and i.indisprimary
  order by array_position(i.indkey::int2[], a.attnum)`

/** The next rows in the order of the primary key. */
export async function listRows(
  trx: Transaction,
  table: string,
  { key, after, limit }: { key: readonly string[]; after: Row | undefined; limit: number },
): Promise<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const last = after ? key.map((column) => after[column] ?? null) : []
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)}
    ${after ? sql`where (${columns}) > (${sql.join(last)})` : sql``}
    order by ${columns} limit ${limit}`.execute(trx)
  return rows
}

/** Below the number of parameters that both databases accept in one statement. */
const MOST_PARAMETERS = 30_000

/** @throws the database's error for a row that does not fit */
export async function insertRows(
  trx: Transaction,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length
  const atOnce = Math.max(1, Math.floor(MOST_PARAMETERS / Math.max(1, columns)))
  for (let at = 0; at < rows.length; at += atOnce)
    await trx
      .insertInto(table as keyof Tables)
      .values(rows.slice(at, at + atOnce) as never)
      .execute()
}
