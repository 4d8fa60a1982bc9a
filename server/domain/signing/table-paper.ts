import { type Color, drawLine, drawRectangle } from '#server/domain/pdf/canvas.ts'
import type {
  FileHead,
  FileRow,
  FileTable,
  ReportPiece,
} from '#server/domain/reports/report-piece.ts'
import {
  createPaper,
  drawBand,
  drawSeal,
  finishPaper,
  HAIRLINE,
  INK,
  MUTED,
  nextPage,
  type Paper,
  type SheetFonts,
  setLine,
} from './paper.ts'
import { drawable, fitText } from './text-fitting.ts'
import { widthOf } from './typeface.ts'

/** A letter on its side: tables are wide. */
const PAGE = { width: 792, height: 612 }
const MARGIN = 36
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = 48
const SIZE = 8.5
const PITCH = 11
const PADDING = 4
const SHADE: Color = [0.94, 0.95, 0.93]
/** Of one cell: a longer text ends in an ellipsis. */
const MOST_LINES = 12

/** Longer tables are left to the other formats. */
const MOST_PAGES = 400
const CUT_OFF = 'El reporte es más largo: descárguelo como CSV o Excel.'

type Sheet = {
  paper: Paper
  y: number
  isFull: boolean
  table: FileTable | undefined
  widths: readonly number[]
}

/**
 * Tables as a PDF, each with its header on every page. The same pieces give the same bytes.
 */
export async function tablesAsPdf(
  head: FileHead,
  pieces: AsyncIterable<ReportPiece>,
  fonts: SheetFonts,
): Promise<Uint8Array> {
  const sheet: Sheet = {
    ...{ paper: createPaper(PAGE, fonts), y: 0, isFull: false, table: undefined, widths: [] },
  }
  drawHead(sheet, head)
  let begun: FileTable | undefined
  for await (const piece of pieces) {
    if (piece.kind === 'table') {
      writeNote(sheet, begun)
      begun = piece.table
      sheet.table = undefined
      continue
    }
    if (begun && sheet.table !== begun) beginTable(sheet, begun, piece.rows)
    for (const row of piece.rows) writeRow(sheet, row, piece.isSum ?? false)
    if (sheet.isFull) break
  }
  writeNote(sheet, begun)
  if (sheet.isFull) writeText(sheet, CUT_OFF, BOTTOM - 2, INK)
  writeFeet(sheet, head.title)
  return finishPaper(sheet.paper)
}

function drawHead(sheet: Sheet, { title, lines }: FileHead): void {
  const { paper } = sheet
  drawSeal(paper, MARGIN, PAGE.height - 30, 44)
  drawBand(paper, { x: MARGIN + 54, y: PAGE.height - 34, width: WIDTH - 54, height: 16 })
  const style = { size: 16, font: paper.bold, color: INK }
  setLine(paper, drawable(title, paper.bold), { x: MARGIN + 54, y: PAGE.height - 68 }, style)
  sheet.y = PAGE.height - 88
  for (const line of lines) {
    writeText(sheet, line, sheet.y, MUTED)
    sheet.y -= PITCH + 1
  }
}

function writeText({ paper }: Sheet, text: string, y: number, color: Color): void {
  const style = { size: SIZE, font: paper.regular, color }
  setLine(paper, drawable(text, paper.regular), { x: MARGIN, y }, style)
}

function beginTable(sheet: Sheet, table: FileTable, rows: readonly FileRow[]): void {
  sheet.widths = widthsOf(sheet, table, rows)
  sheet.y -= 14
  makeRoom(sheet, 60)
  if (sheet.isFull) return
  const { paper } = sheet
  const style = { size: 11, font: paper.bold, color: INK }
  setLine(paper, drawable(table.name, paper.bold), { x: MARGIN, y: sheet.y - 11 }, style)
  sheet.y -= 18
  sheet.table = table
  writeHeader(sheet, table)
}

function writeHeader(sheet: Sheet, { columns }: FileTable): void {
  const names = columns.map(({ name }) => name)
  writeCells(sheet, names, { isBold: true, shade: SHADE })
}

function writeRow(sheet: Sheet, row: FileRow, isSum: boolean): void {
  if (sheet.isFull) return
  writeCells(sheet, row, { isBold: isSum })
}

function writeCells(
  sheet: Sheet,
  row: FileRow,
  { isBold, shade }: { isBold: boolean; shade?: Color },
): void {
  const font = isBold ? sheet.paper.bold : sheet.paper.regular
  const cells = sheet.widths.map((width, column) => {
    const box = { width: width - 2 * PADDING, lines: MOST_LINES, size: SIZE, smallest: SIZE }
    return fitText(String(row[column] ?? ''), font, box).lines
  })
  const height = Math.max(...cells.map(({ length }) => length)) * PITCH + 5
  const { table } = sheet
  const pages = sheet.paper.pack.pages.length
  makeRoom(sheet, height)
  if (sheet.isFull) return
  if (table && !shade && sheet.paper.pack.pages.length > pages) writeHeader(sheet, table)
  const { page } = sheet.paper
  const bottom = sheet.y - height
  if (shade) drawRectangle(page, { x: MARGIN, y: bottom, width: WIDTH, height }, { fill: shade })
  const style = { size: SIZE, font, color: INK }
  let x = MARGIN
  cells.forEach((lines, column) => {
    const width = sheet.widths[column] ?? 0
    lines.forEach((line, index) => {
      const isNumber = table?.columns[column]?.isNumber ?? false
      const room = isNumber ? width - PADDING - widthOf(line, font, SIZE) : PADDING
      setLine(sheet.paper, line, { x: x + room, y: sheet.y - PITCH * (index + 1) + 1 }, style)
    })
    x += width
  })
  const rule = { color: HAIRLINE, width: 0.25 }
  drawLine(page, { x: MARGIN, y: bottom }, { x: MARGIN + WIDTH, y: bottom }, rule)
  sheet.y = bottom
}

function writeNote(sheet: Sheet, table: FileTable | undefined): void {
  if (!table?.note || sheet.table !== table || sheet.isFull) return
  const box = { width: WIDTH, lines: 6, size: SIZE, smallest: SIZE }
  const { lines } = fitText(table.note, sheet.paper.regular, box)
  makeRoom(sheet, lines.length * PITCH + 6)
  if (sheet.isFull) return
  sheet.y -= 4
  for (const line of lines) {
    sheet.y -= PITCH
    writeText(sheet, line, sheet.y, MUTED)
  }
}

function makeRoom(sheet: Sheet, height: number): void {
  if (sheet.isFull || sheet.y - height >= BOTTOM) return
  if (sheet.paper.pack.pages.length >= MOST_PAGES) {
    sheet.isFull = true
    return
  }
  sheet.paper = nextPage(sheet.paper, PAGE)
  sheet.y = PAGE.height - MARGIN
}

/** Columns share the width by what the first rows have: each has room for its longest word, and more by its longest text. */
function widthsOf(sheet: Sheet, table: FileTable, rows: readonly FileRow[]): number[] {
  const needs = table.columns.map(({ name, isNumber }, column) => {
    const texts = rows.slice(0, SAMPLED).map((row) => String(row[column] ?? ''))
    const widest = widestOf(sheet, texts, false)
    const words = texts.flatMap((text) => text.split(' '))
    const least = Math.max(
      widestOf(sheet, name.split(' '), true),
      isNumber ? widest : Math.min(widestOf(sheet, words, false), LONGEST_WORD),
    )
    const wanted = Math.max(least, widestOf(sheet, [name], true), Math.min(widest, LONGEST_TEXT))
    return { least: least + 2 * PADDING, more: wanted - least }
  })
  const room = WIDTH - needs.reduce((sum, { least }) => sum + least, 0)
  // Many columns of long words: all of them are narrower than they want to be.
  if (room < 0) return needs.map(({ least }) => (least * WIDTH) / (WIDTH - room))
  const more = needs.reduce((sum, need) => sum + need.more, 0)
  const given = Math.min(room, more)
  const spare = (room - given) / needs.length
  return needs.map((need) => need.least + (more > 0 ? (need.more * given) / more : 0) + spare)
}

/** In points. */
const [LONGEST_WORD, LONGEST_TEXT] = [120, 260]

function widestOf({ paper }: Sheet, texts: readonly string[], isBold: boolean): number {
  const font = isBold ? paper.bold : paper.regular
  return Math.max(0, ...texts.map((text) => widthOf(drawable(text, font), font, SIZE)))
}

const SAMPLED = 200

function writeFeet({ paper }: Sheet, title: string): void {
  const { regular, pack } = paper
  const style = { size: 8, font: regular, color: MUTED }
  pack.pages.forEach((page, index) => {
    const at = { ...paper, page }
    const number = drawable(`Página ${index + 1} de ${pack.pages.length}`, regular)
    setLine(at, drawable(title, regular), { x: MARGIN, y: 28 }, style)
    const x = MARGIN + WIDTH - widthOf(number, regular, style.size)
    setLine(at, number, { x, y: 28 }, style)
  })
}
