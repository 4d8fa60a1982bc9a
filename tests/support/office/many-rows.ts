import { type Insertable, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Transaction } from '#server/db/transaction.ts'

/** SQLite binds 32,766 values to a statement; long statements cost more than they save. */
const VALUES_AT_ONCE = 8000

/** Rows of a transaction: others wait for it. */
const ROWS_AT_ONCE = 50_000

export type RowsByTable = { [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] }

/** Inserts rows of several tables, in the order of the tables. */
async function insertRows(trx: Transaction, rows: RowsByTable): Promise<void> {
  for (const [table, all = []] of Object.entries(rows)) {
    const size = Math.max(1, Math.floor(VALUES_AT_ONCE / Object.keys(all[0] ?? {}).length))
    for (let start = 0; start < all.length; start += size)
      await trx
        .insertInto(table as keyof Tables)
        .values(all.slice(start, start + size) as never)
        .execute()
  }
}

/** Calls `rowsAt` for each stretch of `count` things, each in a transaction. */
export async function insertInStretches(
  db: Database,
  count: number,
  rowsAt: (start: number, end: number) => RowsByTable,
  stretch = ROWS_AT_ONCE,
): Promise<void> {
  for (let start = 0; start < count; start += stretch)
    await db.transaction((trx) => insertRows(trx, rowsAt(start, Math.min(count, start + stretch))))
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
