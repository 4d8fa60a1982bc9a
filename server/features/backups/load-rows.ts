import { insertRows, listTables } from '#server/db/backups/table-rows.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Row } from '#server/domain/backups/row-lines.ts'

/** The backup has rows of a table that its schema does not have, or rows that do not fit there. */
export class BadRowsError extends Error {
  override readonly name = 'BadRowsError'
}

/** Inserts the rows of a backup into empty tables. @throws {BadRowsError} */
export async function loadRows(
  trx: Transaction,
  parts: AsyncIterable<{ table: string; rows: Row[] }>,
): Promise<void> {
  const tables = new Set(await listTables(trx))
  for await (const { table, rows } of parts) {
    if (!tables.has(table)) throw new BadRowsError(`no table ${table}`)
    await insertRows(trx, table, rows)
  }
}
