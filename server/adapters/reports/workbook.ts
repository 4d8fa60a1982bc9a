import { type CellStyle, type CellValue, writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import type { FileRow, FileTable, ReportPiece } from '#server/domain/reports/report-piece.ts'

/*
 * Texts are cells of text: a spreadsheet takes none for a formula. What XML cannot hold is left out, as a text with it would make the
 * whole file unreadable.
 */

type Pieces = AsyncIterable<ReportPiece>

/** A sheet for each table. */
export async function workbook(pieces: Pieces): Promise<Uint8Array> {
  const sheets: { table: FileTable; rows: FileRow[] }[] = []
  for await (const piece of pieces) {
    if (piece.kind === 'table') sheets.push({ table: piece.table, rows: [] })
    else sheets.at(-1)?.rows.push(...piece.rows)
  }
  const names = sheetNames(sheets.map(({ table }) => table.name))
  return await writeXlsx({
    sheets: sheets.map(({ table, rows }, index) => ({
      name: names[index] ?? `Hoja ${index + 1}`,
      columns: table.columns.map((column) => ({ width: widthOf(column), ...formatOf(column) })),
      rows: [table.columns.map(({ name }) => name), ...rows.map(cellsOf), ...noteOf(table)],
      freezePane: { rows: 1 },
      // As wide as its paper.
      pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
      cells: new Map(table.columns.map((_, column) => [`0,${column}`, { style: HEADER }] as const)),
    })),
  })
}

/** Rows that are kept in memory. With more the sheet is written as they come, and knows nothing of its paper. */
const MOST_ROWS_KEPT = 5000

/** One table with as many rows as there are; a sheet that is full goes on in another. */
export async function* longWorkbook(pieces: Pieces): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  const { begun, isWhole } = await beginningOf(source)
  const [first] = begun
  if (first?.kind !== 'table') throw new Error('a file begins with its table')
  if (isWhole) {
    yield await workbook(inTurn(begun))
    return
  }
  const { name, columns } = first.table
  const [sheet = name] = sheetNames([name])
  yield* writeXlsxStream(rowsOf(begun, source), {
    name: sheet,
    columns: columns.map((column) => ({ header: column.name, width: widthOf(column) })),
    freezePane: { rows: 1 },
  })
}

/** The first pieces, up to `MOST_ROWS_KEPT` rows, and whether there are no others. */
async function beginningOf(
  source: AsyncIterator<ReportPiece>,
): Promise<{ begun: ReportPiece[]; isWhole: boolean }> {
  const begun: ReportPiece[] = []
  for (let rows = 0; rows <= MOST_ROWS_KEPT; ) {
    const next = await source.next()
    if (next.done) return { begun, isWhole: true }
    begun.push(next.value)
    if (next.value.kind === 'rows') rows += next.value.rows.length
  }
  return { begun, isWhole: false }
}

async function* inTurn(pieces: Iterable<ReportPiece>): AsyncGenerator<ReportPiece> {
  yield* pieces
}

async function* rowsOf(
  begun: readonly ReportPiece[],
  source: AsyncIterator<ReportPiece>,
): AsyncGenerator<CellValue[]> {
  for (const piece of begun) yield* cellsOfPiece(piece)
  for (let next = await source.next(); !next.done; next = await source.next())
    yield* cellsOfPiece(next.value)
}

const cellsOfPiece = (piece: ReportPiece): CellValue[][] =>
  piece.kind === 'rows' ? piece.rows.map(cellsOf) : []

const HEADER: CellStyle = { font: { name: 'Calibri', size: 11, bold: true } }

const noteOf = ({ note }: FileTable): CellValue[][] => (note === undefined ? [] : [[], [note]])

const formatOf = ({ isMoney }: FileTable['columns'][number]) =>
  isMoney ? { numFmt: '"$"#,##0.00' } : {}

/** In letters. */
const widthOf = ({ name, isNumber }: FileTable['columns'][number]) =>
  Math.max(name.length + 2, isNumber ? 12 : 28)

const cellsOf = (row: FileRow): CellValue[] =>
  row.map((value) => (typeof value === 'string' ? asXmlText(value) : value))

/* Cut first: the cut may halve a letter of two code units. @see XML 1.0, 2.2; a cell holds 32,767 code units */
const asXmlText = (text: string) =>
  text
    .slice(0, 32_767)
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')

/** Unique, of up to 31 letters, without the signs that a sheet's name may not have. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain = name.replace(/[[\]:*?/\\]/g, ' ').replace(/^'+|'+$/g, '')
    let sheet = plain.slice(0, 31).trim()
    for (let count = 2; taken.has(sheet.toLowerCase()); count += 1)
      sheet = `${plain.slice(0, 27).trim()} ${count}`
    taken.add(sheet.toLowerCase())
    return sheet
  })
}
