import { CompiledQuery, type Insertable, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Transaction } from '#server/db/transaction.ts'

/** SQLite binds 32,766 values to a statement; long statements cost more than they save. */
const VALUES_AT_ONCE = 8000

/** Rows of a transaction: others wait for it. */
const ROWS_AT_ONCE = 50_000

export type RowsByTable = { [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] }

/** The text of a statement for each table, set of columns and number of rows. */
const texts = new Map<string, string>()

/**
 * Inserts rows with the same columns. Kysely, which looks at each value of a statement, writes one of each length only.
 */
export async function insertMany<Table extends keyof Tables>(
  trx: Transaction,
  { dialect }: Pick<Database, 'dialect'>,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Tables[Table]>)[]
  const size = Math.max(1, Math.floor(VALUES_AT_ONCE / columns.length))
  for (let start = 0; start < rows.length; start += size) {
    const some = rows.slice(start, start + size)
    const shape = [dialect, table, ...columns, some.length].join(' ')
    const text = texts.get(shape) ?? trx.insertInto(table).values(some).compile().sql
    texts.set(shape, text)
    const values = some.flatMap((row) => columns.map((column) => row[column]))
    await trx.executeQuery(CompiledQuery.raw(text, values))
  }
}

/** Calls `rowsAt` for each stretch of `count` things, each in a transaction. */
export async function insertInStretches(
  db: Database,
  count: number,
  rowsAt: (start: number, end: number) => RowsByTable,
  stretch = ROWS_AT_ONCE,
): Promise<void> {
  for (let start = 0; start < count; start += stretch) {
    const rows = Object.entries(rowsAt(start, Math.min(count, start + stretch)))
    await db.transaction(async (trx) => {
      for (const [table, some] of rows)
        await insertMany(trx, db, table as keyof Tables, some as never)
    })
  }
}

/** `work` without the indexes of SQLite, which are sorted once afterwards: in a million rows each would be a page elsewhere. */
export async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  if (db.dialect === 'postgres') return await work()
  const made = await db.transaction(async (trx) => {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'index' and sql is not null`.execute(trx)
    for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(trx)
    return rows
  })
  await work()
  await db.transaction(async (trx) => {
    for (const index of made) await sql.raw(index.sql).execute(trx)
  })
}
