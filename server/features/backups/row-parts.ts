import { gzipSync } from 'node:zlib'
import { listRows, primaryKeyOf } from '#server/db/backups/table-rows.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { lineOfRow, type Row } from '#server/domain/backups/row-lines.ts'

/** Text of a part before it is compressed; a part ends with the row that reaches it. */
const PART_LENGTH = 4 << 20
const PAGE_LENGTH = 4 << 20
const FIRST_PAGE = 50
const MOST_ROWS = 2_000
/** Fast: the disk is to be the slower one. */
const LEVEL = 3

/**
 * The rows of a table as compressed lines, in parts, in the order of the primary key. The parts of a table to which
 * rows are only appended stay the same but the last one, so that a later backup need not repeat them.
 */
export async function* rowParts(trx: Transaction, table: string): AsyncGenerator<Uint8Array> {
  let [text, isBegun] = ['', false]
  for await (const row of rowsOf(trx, table)) {
    text += `${lineOfRow(row)}\n`
    isBegun = true
    if (text.length < PART_LENGTH) continue
    yield gzipSync(text, { level: LEVEL })
    ;[text, isBegun] = ['', false]
  }
  if (isBegun) yield gzipSync(text, { level: LEVEL })
}

/** Asks for as many rows at once as fit into little memory: some have megabytes. */
async function* rowsOf(trx: Transaction, table: string): AsyncGenerator<Row> {
  const key = await primaryKeyOf(trx, table)
  let after: Row | undefined
  let limit = FIRST_PAGE
  for (;;) {
    const page = await listRows(trx, table, { key, after, limit })
    yield* page
    if (page.length < limit) return
    after = page.at(-1)
    limit = nextLimit(page, limit)
  }
}

/** Grows slowly: large rows may follow small ones. */
function nextLimit(page: readonly Row[], limit: number): number {
  const length = page.reduce((sum, row) => sum + lengthOf(row), 0)
  const fitting = Math.floor((PAGE_LENGTH * page.length) / Math.max(1, length))
  return Math.max(1, Math.min(fitting, 2 * limit, MOST_ROWS))
}

const lengthOf = (row: Row) =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (value === null || typeof value === 'number' ? 8 : value.length),
    0,
  )
