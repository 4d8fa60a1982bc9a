import { type Color, drawPath } from '#server/domain/pdf/canvas.ts'
import {
  BOTTOM,
  type FactsLook,
  type Flow,
  hasRoom,
  heightOfPage,
  heightOfText,
  MARGIN,
  makeRoom,
  type NamedText,
  startFlow,
  type TextLook,
  WIDTH,
  writeFacts,
  writeFeet,
  writeHeading,
  writePairedFacts,
  writeRule,
  writeText,
} from './flowing-text.ts'
import {
  createPaper,
  drawBand,
  drawLine,
  drawQrCode,
  drawSeal,
  finishPaper,
  GREEN,
  INK,
  LETTER,
  MUTED,
  type Paper,
  type SheetFonts,
} from './paper.ts'

type ReportTone = 'good' | 'wait' | 'bad'

/** A verdict for printing: every text is final, and masked where necessary. */
export type ReportText = {
  tone: ReportTone
  /** "Válido" */
  word: string
  sentence: string
  meaning: readonly string[]
  /** Marks every page "de prueba". */
  isTest: boolean
  warnings: readonly string[]
  facts: readonly NamedText[]
  entries: readonly ReportEntry[]
  /** What the QR code of the first page holds; null for none. */
  qrCode: string | null
  /** The text at the foot of each page, beside its number. */
  foot: string
}

/** A signature, or an event beside the signatures. */
export type ReportEntry = {
  title: string
  tone: ReportTone | 'note' | 'plain'
  lines: readonly string[]
  /** Each with a tick or a cross. */
  checks: readonly { isGood: boolean; text: string }[]
  /** For experts: on the pages behind. */
  details: readonly NamedText[]
}

/** Longer reports are left to the JSON file. */
const MOST_PAGES = 40
/** The details are never on the first. */
const FEWEST_PAGES = 2
const CUT_OFF = 'El informe es más largo: consulte el archivo JSON.'

const TONES: Readonly<Record<ReportEntry['tone'], Color>> = {
  good: GREEN,
  wait: [0.47, 0.28, 0],
  bad: [0.62, 0.11, 0.08],
  note: [0.2, 0.33, 0.45],
  plain: MUTED,
}

/**
 * The verdict as a PDF: the answer first, the details of the signatures behind it. Two pages for a few signatures, and as many
 * as it needs for more. A signature is not split over two pages, unless that saves a page; then its name is repeated. The same
 * text gives the same bytes.
 */
export function renderReport(text: ReportText, fonts: SheetFonts): Uint8Array {
  const whole = layOut(text, fonts, { isWhole: true })
  if (whole.flow.pages <= FEWEST_PAGES) return finishPaper(whole.paper)
  const split = layOut(text, fonts, { isWhole: false })
  return finishPaper(split.flow.pages < whole.flow.pages ? split.paper : whole.paper)
}

/** @param isWhole whether a signature that does not fit begins on the next page */
function layOut(
  text: ReportText,
  fonts: SheetFonts,
  { isWhole }: { isWhole: boolean },
): { paper: Paper; flow: Flow } {
  const paper = createPaper(LETTER, fonts)
  drawHead(paper, text)
  const flow = startFlow(paper, 696, MOST_PAGES)
  writeVerdict(flow, text)
  writeSection(flow, 'Qué significa', text.meaning)
  writeSection(flow, 'Advertencias', text.warnings)
  if (text.facts.length > 0) writeHeading(flow, 'Datos')
  writeFacts(flow, text.facts, DENSE)
  if (text.entries.length > 0) writeHeading(flow, 'Firmas')
  for (const entry of text.entries) writeEntry(flow, entry, isWhole)
  writeDetails(flow, text.entries)
  if (flow.isFull) {
    const style = { font: paper.regular, color: INK }
    drawLine(flow.paper, CUT_OFF, { x: MARGIN, y: BOTTOM - 12 }, 9, style)
  }
  writeFeet(flow, text.foot)
  return { paper, flow }
}

const QR_SIDE = 84
/** Room for the QR code beside the verdict. */
const BESIDE_CODE = WIDTH - QR_SIDE - 24
const DENSE: FactsLook = { nameWidth: 150, size: 9, isDense: true }

function drawHead(paper: Paper, { isTest, qrCode }: ReportText): void {
  const band = { x: MARGIN + 64, y: 762, width: WIDTH - 64, height: 20 }
  drawBand(paper, band)
  drawSeal(paper, MARGIN, 766, 54)
  const title = isTest ? 'Informe de verificación, de prueba' : 'Informe de verificación'
  drawLine(paper, title, { x: band.x, y: 722 }, 18, { font: paper.bold, color: INK })
  if (qrCode === null) return
  const x = LETTER.width - MARGIN - QR_SIDE
  drawQrCode(paper, qrCode, { x, top: 700, side: QR_SIDE })
  const hint = { font: paper.regular, color: MUTED }
  drawLine(paper, 'Compruébelo aquí', { x: x + 10, y: 700 - QR_SIDE - 14 }, 8, hint)
}

function writeVerdict(flow: Flow, { word, sentence, tone, isTest, qrCode }: ReportText): void {
  const width = qrCode === null ? WIDTH : BESIDE_CODE
  writeText(flow, word, { size: 11, isBold: true, color: TONES[tone], width })
  writeText(flow, sentence, { size: 18, isBold: true, color: INK, width })
  if (isTest)
    writeText(
      flow,
      'Informe de prueba: el certificado o la notaría son de demostración y nada de lo que aquí se dice tiene validez.',
      { size: 10, isBold: true, color: TONES.bad, width },
    )
  if (qrCode !== null) flow.y = Math.min(flow.y, 700 - QR_SIDE - 12)
}

function writeSection(flow: Flow, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  writeHeading(flow, title)
  for (const line of lines) writeText(flow, line, { size: 10, color: INK })
}

/** What is not split: a line of text, or two checks beside each other. */
type Row = { height: number; write(): void }

function writeEntry(flow: Flow, entry: ReportEntry, isWhole: boolean): void {
  const look: TextLook = { size: 11, isBold: true, color: TONES[entry.tone] }
  const head = HEAD + heightOfText(flow, entry.title, look)
  const rows = [
    ...entry.lines.map((line) => rowOf(flow, line)),
    ...pairsOf(flow, entry.checks).map((checks) => rowOfChecks(flow, checks)),
  ]
  const height = rows.reduce((sum, row) => sum + row.height, head)
  // The first line has the verdict: it stands with the name.
  const least = head + (rows[0]?.height ?? 0)
  makeRoom(flow, isWhole && height <= heightOfPage(flow) ? height : least)
  writeHead(entry.title)
  for (const row of rows) {
    if (!hasRoom(flow, row.height)) {
      makeRoom(flow, heightOfPage(flow))
      writeHead(`${entry.title} (continúa)`)
    }
    if (flow.isFull) return
    row.write()
  }

  function writeHead(title: string): void {
    flow.y -= 4
    writeRule(flow, TONES[entry.tone], 1)
    writeText(flow, title, look)
  }
}

/** In points: 4 above the rule, 7 for it, and 1 to spare. */
const HEAD = 12
const INDENT = 10
const LINE: TextLook = { size: 9.5, color: INK, indent: INDENT }
/** Of a check, behind its mark. */
const BEHIND_MARK = 16

function rowOf(flow: Flow, line: string): Row {
  return { height: heightOfText(flow, line, LINE), write: () => writeText(flow, line, LINE) }
}

type Check = ReportEntry['checks'][number]

/** Beside each other if each is one line in half of the width. */
function pairsOf(flow: Flow, checks: readonly Check[]): Check[][] {
  const half = checkLook(0, 2)
  const isShort = ({ text }: Check) =>
    heightOfText(flow, text, half) <= heightOfText(flow, 'x', half)
  const pairs: Check[][] = []
  for (const check of checks) {
    const last = pairs.at(-1)
    if (last?.length === 1 && [...last, check].every(isShort)) last.push(check)
    else pairs.push([check])
  }
  return pairs
}

/** @param column counts from 0, of `columns` */
function checkLook(column: number, columns: number): TextLook {
  const width = (WIDTH - INDENT) / columns
  const indent = INDENT + column * width + BEHIND_MARK
  return { ...LINE, indent, width: width - BEHIND_MARK - (columns > 1 ? 8 : 0) }
}

function rowOfChecks(flow: Flow, checks: readonly Check[]): Row {
  const placed = checks.map((check, column) => ({ check, look: checkLook(column, checks.length) }))
  return {
    height: Math.max(...placed.map(({ check, look }) => heightOfText(flow, check.text, look))),
    write() {
      const { y } = flow
      for (const { check, look } of placed) {
        flow.y = y
        writeCheck(flow, check, look)
      }
    },
  }
}

/* In a box of 24 units, y downwards. */
const TICK = '5 12.5 m 9.5 17 l 19 7.5 l'
const CROSS = '6.5 6.5 m 17.5 17.5 l 17.5 6.5 m 6.5 17.5 l'

/** The mark is drawn: not every reader's font has a tick. */
function writeCheck(flow: Flow, { isGood, text }: Check, look: TextLook): void {
  const x = MARGIN + (look.indent ?? 0) - BEHIND_MARK
  const at = { x, y: flow.y - 0.5, scale: 11 / 24 }
  const stroke = { color: TONES[isGood ? 'good' : 'bad'], width: 3 }
  drawPath(flow.paper.page, isGood ? TICK : CROSS, at, { stroke })
  writeText(flow, text, look)
}

/** Never on the first page: readers of the answer need none of it. */
function writeDetails(flow: Flow, entries: readonly ReportEntry[]): void {
  const detailed = entries.filter(({ details }) => details.length > 0)
  if (detailed.length === 0) return
  if (flow.pages === 1) makeRoom(flow, LETTER.height)
  writeHeading(flow, 'Detalle técnico')
  for (const { title, details } of detailed) {
    makeRoom(flow, 48)
    flow.y -= 6
    writeText(flow, title, { size: 9.5, isBold: true, color: INK })
    writePairedFacts(flow, details, { nameWidth: 164, pairedNameWidth: 88, size: 8 })
  }
}
