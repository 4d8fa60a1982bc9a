import { type Color, drawPath } from '#server/domain/pdf/canvas.ts'
import {
  BOTTOM,
  type FactsLook,
  type Flow,
  MARGIN,
  makeRoom,
  type NamedText,
  startFlow,
  WIDTH,
  writeFacts,
  writeFeet,
  writeHeading,
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
 * as it needs for more. The same text gives the same bytes.
 */
export function renderReport(text: ReportText, fonts: SheetFonts): Uint8Array {
  const paper = createPaper(LETTER, fonts)
  drawHead(paper, text)
  const flow = startFlow(paper, 696, MOST_PAGES)
  writeVerdict(flow, text)
  writeSection(flow, 'Qué significa', text.meaning)
  writeSection(flow, 'Advertencias', text.warnings)
  if (text.facts.length > 0) writeHeading(flow, 'Datos')
  writeFacts(flow, text.facts, DENSE)
  if (text.entries.length > 0) writeHeading(flow, 'Firmas')
  for (const entry of text.entries) writeEntry(flow, entry)
  writeDetails(flow, text.entries)
  if (flow.isFull) {
    const style = { font: paper.regular, color: INK }
    drawLine(flow.paper, CUT_OFF, { x: MARGIN, y: BOTTOM - 12 }, 9, style)
  }
  writeFeet(flow, text.foot)
  return finishPaper(paper)
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

function writeEntry(flow: Flow, { title, tone, lines, checks }: ReportEntry): void {
  makeRoom(flow, 48)
  flow.y -= 4
  writeRule(flow, TONES[tone], 1)
  writeText(flow, title, { size: 11, isBold: true, color: TONES[tone] })
  for (const line of lines) writeText(flow, line, { size: 9.5, color: INK, indent: INDENT })
  for (const check of checks) writeCheck(flow, check)
}

const INDENT = 10
/* In a box of 24 units, y downwards. */
const TICK = '5 12.5 m 9.5 17 l 19 7.5 l'
const CROSS = '6.5 6.5 m 17.5 17.5 l 17.5 6.5 m 6.5 17.5 l'

/** The mark is drawn: not every reader's font has a tick. */
function writeCheck(flow: Flow, { isGood, text }: ReportEntry['checks'][number]): void {
  const size = 9.5
  makeRoom(flow, size * 1.4)
  if (flow.isFull) return
  const at = { x: MARGIN + INDENT, y: flow.y - 0.5, scale: 11 / 24 }
  const stroke = { color: TONES[isGood ? 'good' : 'bad'], width: 3 }
  drawPath(flow.paper.page, isGood ? TICK : CROSS, at, { stroke })
  writeText(flow, text, { size, color: INK, indent: INDENT + 16 })
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
    writeFacts(flow, details, { nameWidth: 150, size: 8, isDense: true })
  }
}
