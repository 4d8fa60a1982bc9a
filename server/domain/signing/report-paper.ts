import { rgb } from '@cantoo/pdf-lib'
import { guillocheBand } from './guilloche.ts'
import {
  createPaper,
  drawLine,
  drawSeal,
  finishPaper,
  GREEN,
  HAIRLINE,
  INK,
  MUTED,
  type Paper,
  type SheetFonts,
} from './paper.ts'
import { drawable, fitText } from './text-fitting.ts'

export type ReportTone = 'good' | 'wait' | 'bad'

type NamedText = { name: string; value: string }

/** A verdict as it is printed: every text is ready for people, masked where it must be. */
export type ReportText = {
  tone: ReportTone
  /** "Válido" */
  word: string
  sentence: string
  meaning: readonly string[]
  /** Everything carries "de prueba". */
  isTest: boolean
  warnings: readonly string[]
  facts: readonly NamedText[]
  entries: readonly ReportEntry[]
  /** What stands at the foot of each page, beside its number. */
  foot: string
}

/** A signature, or what happened beside the signatures. */
export type ReportEntry = {
  title: string
  tone: ReportTone | 'note' | 'plain'
  lines: readonly string[]
  facts: readonly NamedText[]
}

/** Letter: what Mexican offices have in their printers. */
const PAGE = { width: 612, height: 792 }
const MARGIN = 48
const WIDTH = PAGE.width - 2 * MARGIN
const TOP = PAGE.height - 56
const BOTTOM = 64

/** A report is for reading: what is longer is read in the file for programs. */
const MOST_PAGES = 40
const CUT_OFF = 'El dictamen es más largo: consulte el archivo JSON.'

const TONES = {
  good: GREEN,
  wait: rgb(0.47, 0.28, 0),
  bad: rgb(0.62, 0.11, 0.08),
  note: rgb(0.2, 0.33, 0.45),
  plain: MUTED,
}

/** Where the next line goes, counted from the foot of the page; pages are added as they fill. */
type Pen = { paper: Paper; y: number; text: ReportText; pages: number; isFull: boolean }

/** The verdict as a PDF on as many pages as it needs. The same text gives the same bytes. */
export async function renderReport(text: ReportText, fonts: SheetFonts): Promise<Uint8Array> {
  const paper = await createPaper(PAGE, fonts, [JSON.stringify(text)])
  const pen: Pen = { paper, y: TOP, text, pages: 1, isFull: false }
  drawHead(pen)
  drawVerdict(pen)
  drawSection(pen, 'Qué significa', text.meaning)
  drawSection(pen, 'Advertencias', text.warnings)
  if (text.facts.length > 0) drawHeading(pen, 'Datos')
  drawFacts(pen, text.facts, 0)
  if (text.entries.length > 0) drawHeading(pen, 'Firmas')
  for (const entry of text.entries) drawEntry(pen, entry)
  if (pen.isFull) drawLine(pen.paper, CUT_OFF, { x: MARGIN, y: BOTTOM - 12 }, 9, style(pen, INK))
  drawFeet(pen)
  return finishPaper(paper)
}

function drawHead(pen: Pen): void {
  const { paper } = pen
  const band = { x: MARGIN + 64, y: 762, width: WIDTH - 64, height: 20 }
  for (const wave of guillocheBand(band.width, band.height, 9))
    paper.page.drawSvgPath(wave, { x: band.x, y: band.y, borderColor: GREEN, borderWidth: 0.35 })
  drawSeal(paper, MARGIN, 766, 54)
  const title = pen.text.isTest ? 'Dictamen de verificación, de prueba' : 'Dictamen de verificación'
  drawLine(paper, title, { x: band.x, y: 722 }, 18, { font: paper.bold, color: INK })
  pen.y = 690
}

function drawVerdict(pen: Pen): void {
  const { word, sentence, tone, isTest } = pen.text
  drawText(pen, word, { size: 11, isBold: true, color: TONES[tone] })
  drawText(pen, sentence, { size: 18, isBold: true, color: INK })
  if (isTest)
    drawText(
      pen,
      'Dictamen de prueba: el certificado o la notaría son de demostración y nada de lo que aquí se dice tiene validez.',
      { size: 10, isBold: true, color: TONES.bad },
    )
}

function drawSection(pen: Pen, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  drawHeading(pen, title)
  for (const line of lines) drawText(pen, line, { size: 10, color: INK })
}

function drawHeading(pen: Pen, title: string): void {
  makeRoom(pen, 48)
  pen.y -= 12
  drawText(pen, title, { size: 12, isBold: true, color: INK })
}

function drawEntry(pen: Pen, { title, tone, lines, facts }: ReportEntry): void {
  makeRoom(pen, 72)
  pen.y -= 6
  rule(pen, TONES[tone], 1)
  drawText(pen, title, { size: 11, isBold: true, color: TONES[tone] })
  for (const line of lines) drawText(pen, line, { size: 9.5, color: INK, indent: 10 })
  drawFacts(pen, facts, 10)
}

const NAME_WIDTH = 150

function drawFacts(pen: Pen, facts: readonly NamedText[], indent: number): void {
  for (const { name, value } of facts) {
    const width = WIDTH - indent - NAME_WIDTH
    const names = linesOf(pen, name, 9, NAME_WIDTH - 10)
    const values = linesOf(pen, value, 9, width)
    makeRoom(pen, 14)
    const rows = Math.max(names.length, values.length)
    for (let row = 0; row < rows; row += 1) {
      makeRoom(pen, 12)
      const y = pen.y - 9
      write(pen, names[row], { x: MARGIN + indent, y, color: MUTED })
      write(pen, values[row], { x: MARGIN + indent + NAME_WIDTH, y, color: INK })
      pen.y -= 12
    }
    rule(pen, HAIRLINE, 0.25)
  }
}

function write(
  pen: Pen,
  line: string | undefined,
  { color, ...at }: { x: number; y: number; color: typeof INK },
): void {
  if (line && !pen.isFull)
    pen.paper.page.drawText(line, { ...at, size: 9, font: pen.paper.regular, color })
}

type Look = { size: number; color: typeof INK; isBold?: boolean; indent?: number }

function drawText(pen: Pen, text: string, { size, color, isBold, indent = 0 }: Look): void {
  for (const line of linesOf(pen, text, size, WIDTH - indent, isBold)) {
    makeRoom(pen, size * 1.4)
    if (pen.isFull) return
    const font = isBold ? pen.paper.bold : pen.paper.regular
    pen.paper.page.drawText(line, { x: MARGIN + indent, y: pen.y - size, size, font, color })
    pen.y -= size * 1.4
  }
}

function linesOf({ paper }: Pen, text: string, size: number, width: number, isBold = false) {
  const font = isBold ? paper.bold : paper.regular
  return fitText(text, font, { width, lines: 60, size, smallest: size }).lines
}

function rule(pen: Pen, color: typeof INK, thickness: number): void {
  if (pen.isFull) return
  pen.y -= 3
  const [start, end] = [MARGIN, PAGE.width - MARGIN].map((x) => ({ x, y: pen.y }))
  pen.paper.page.drawLine({ start: start!, end: end!, thickness, color })
  pen.y -= 4
}

function makeRoom(pen: Pen, height: number): void {
  if (pen.isFull || pen.y - height >= BOTTOM) return
  if (pen.pages === MOST_PAGES) {
    pen.isFull = true
    return
  }
  pen.paper = { ...pen.paper, page: pen.paper.document.addPage([PAGE.width, PAGE.height]) }
  pen.pages += 1
  pen.y = TOP
}

function drawFeet(pen: Pen): void {
  const { regular } = pen.paper
  const foot = linesOf(pen, pen.text.foot, 8, WIDTH - 90)[0] ?? ''
  pen.paper.document.getPages().forEach((page, index) => {
    const number = drawable(`Página ${index + 1} de ${pen.pages}`, regular)
    const x = PAGE.width - MARGIN - regular.widthOfTextAtSize(number, 8)
    page.drawText(foot, { x: MARGIN, y: 36, size: 8, font: regular, color: MUTED })
    page.drawText(number, { x, y: 36, size: 8, font: regular, color: MUTED })
  })
}

const style = ({ paper }: Pen, color: typeof INK) => ({ font: paper.regular, color })
