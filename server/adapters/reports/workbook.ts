import { type CellStyle, type CellValue, writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import type {
  FileHead,
  FileRow,
  FileTable,
  ReportPiece,
} from '#server/domain/reports/report-piece.ts'

/*
 * Texts are cells of text: a spreadsheet takes none for a formula. What XML cannot hold is left out, as a text with it would make the
 * whole file unreadable.
 */

type Pieces = AsyncIterable<ReportPiece>

/** A sheet for each table, ready to be printed. */
export async function workbook(head: FileHead, pieces: Pieces): Promise<Uint8Array> {
  const tables: Filled[] = []
  for await (const piece of pieces) {
    if (piece.kind === 'table') tables.push({ table: piece.table, rows: [], sums: [] })
    else addRows(tables.at(-1), piece)
  }
  const names = sheetNames(tables.map(({ table }) => table.name))
  return await writeXlsx({
    sheets: tables.map((filled, index) => ({
      name: names[index] ?? `Hoja ${index + 1}`,
      ...sheetOf(filled),
      ...ON_PAPER,
      headerFooter: marginsOf(head),
    })),
  })
}

type Filled = {
  table: FileTable
  rows: FileRow[]
  /** Which of the rows are sums. */
  sums: number[]
}

function addRows(to: Filled | undefined, { rows, isSum }: ReportPiece & { kind: 'rows' }): void {
  if (isSum) to?.sums.push(to.rows.length)
  to?.rows.push(...rows)
}

function sheetOf({ table, rows, sums }: Filled) {
  const { columns } = table
  const widths = widthsOf(columns, rows)
  const inBold = [0, ...sums.map((row) => row + 1)]
  const styles = inBold.flatMap((row) =>
    columns.map((column, at) => [`${row},${at}`, { style: boldOf(column) }] as const),
  )
  return {
    columns: columns.map((column, at) => ({
      ...{ width: widths[at] ?? LEAST_WIDE, style: styleOf(column) },
    })),
    ...withNote(table, rows, widths),
    cells: new Map<string, { style: CellStyle }>(styles),
  }
}

/** The rows and, below them, the note: in one cell as wide as the table, as a longer line would make the printed page small. */
function withNote({ columns, note }: FileTable, rows: readonly FileRow[], widths: number[]) {
  const lines = [columns.map(({ name }) => name), ...rows.map(cellsOf)]
  const heights = heightsOf(lines, widths)
  if (note === undefined) return { rows: lines, rowDefs: heights }
  const row = lines.length + 1
  const wide = widths.reduce((sum, width) => sum + width, 0)
  heights.set(row, { height: LINE_HEIGHT * linesOf(note, wide) })
  return {
    rows: [...lines, [], [note]],
    merges: [{ startRow: row, startCol: 0, endRow: row, endCol: columns.length - 1 }],
    rowDefs: heights,
  }
}

/* LibreOffice finds no height itself, and no spreadsheet that of merged cells. */
function heightsOf(lines: readonly CellValue[][], widths: readonly number[]) {
  const heights = new Map<number, { height: number }>()
  for (const [row, cells] of lines.entries()) {
    const most = Math.max(...cells.map((cell, at) => linesOf(String(cell), widths[at] ?? 1)))
    if (most > 1) heights.set(row, { height: LINE_HEIGHT * Math.min(most, MOST_LINES) })
  }
  return heights
}

/** How many lines a text takes in so many letters, broken between words. */
function linesOf(text: string, width: number): number {
  const wide = Math.max(1, width)
  let lines = 0
  for (const line of text.split('\n')) {
    let used = wide
    for (const { length } of line.split(' ')) {
      if (used + 1 + length > wide) {
        lines += Math.max(1, Math.ceil(length / wide))
        used = length % wide
      } else used += 1 + length
    }
  }
  return lines
}

const ON_PAPER = {
  freezePane: { rows: 1 },
  pageSetup: {
    paperSize: 'letter',
    orientation: 'landscape',
    printTitlesRow: '$1:$1',
    // As wide as its paper.
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
    margins: { left: 0.4, right: 0.4, top: 0.9, bottom: 0.7, header: 0.4, footer: 0.3 },
  },
} as const

/** What is printed above and below each page. @see ECMA-376, 18.3.1.39: codes begin with "&" */
function marginsOf({ title, lines }: FileHead) {
  const [office = '', ...others] = lines.map(plain)
  return {
    oddHeader: `&L${office}&R&B${plain(title)}`,
    oddFooter: `&L${others.join(' · ')}&RPágina &P de &N`,
  }
}

/* A number behind a code would be a size. Excel takes 255 letters in all. */
const plain = (text: string) =>
  asXmlText(text.slice(0, 80))
    .replaceAll('&', '&&')
    .replace(/^(?=\d)/, ' ')

/** Rows that are kept in memory. With more the sheet is written as they come, and knows nothing of its paper. */
const MOST_ROWS_KEPT = 5000

/** One table with as many rows as there are; a sheet that is full goes on in another. */
export async function* longWorkbook(head: FileHead, pieces: Pieces): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  const { begun, isWhole } = await beginningOf(source)
  const [first] = begun
  if (first?.kind !== 'table') throw new Error('a file begins with its table')
  if (isWhole) {
    yield await workbook(head, inTurn(begun))
    return
  }
  const { name, columns } = first.table
  const [sheet = name] = sheetNames([name])
  const widths = widthsOf(columns, begun.flatMap(rowsIn))
  yield* writeXlsxStream(rowsOf(begun, source), {
    name: sheet,
    columns: columns.map(({ name: header }, at) => ({ header, width: widths[at] ?? LEAST_WIDE })),
    freezePane: ON_PAPER.freezePane,
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

const cellsOfPiece = (piece: ReportPiece): CellValue[][] => rowsIn(piece).map(cellsOf)

const rowsIn = (piece: ReportPiece): readonly FileRow[] => (piece.kind === 'rows' ? piece.rows : [])

type Column = FileTable['columns'][number]

const styleOf = ({ isNumber, isMoney }: Column): CellStyle => ({
  alignment: isNumber
    ? { vertical: 'top' }
    : { vertical: 'top', wrapText: true, horizontal: 'left' },
  ...(isMoney && { numFmt: '"$"#,##0.00' }),
})

const boldOf = (column: Column): CellStyle => ({
  ...styleOf(column),
  font: { name: 'Calibri', size: 11, bold: true },
  alignment: {
    ...{ vertical: 'top', wrapText: true, horizontal: column.isNumber ? 'right' : 'left' },
  },
})

const LEAST_WIDE = 8
/** Longer texts go on in another line, so that a printed page can be read. */
const MOST_WIDE = 32
/** Points. */
const LINE_HEIGHT = 15
/** A row may be 409 points high. */
const MOST_LINES = 27

/** In letters, of the longest values. */
const widthsOf = (columns: readonly Column[], rows: readonly FileRow[]): number[] =>
  columns.map(({ name }, at) =>
    rows.reduce(
      (width, row) => Math.max(width, Math.min(MOST_WIDE, String(row[at] ?? '').length + 2)),
      Math.max(LEAST_WIDE, Math.min(MOST_WIDE, name.length + 3)),
    ),
  )

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
