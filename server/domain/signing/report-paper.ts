import type { Color } from '#server/domain/pdf/canvas.ts'
import {
  BOTTOM,
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
  /** The text at the foot of each page, beside its number. */
  foot: string
}

/** A signature, or an event beside the signatures. */
export type ReportEntry = {
  title: string
  tone: ReportTone | 'note' | 'plain'
  lines: readonly string[]
  facts: readonly NamedText[]
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

/** The verdict as a PDF on as many pages as it needs. The same text gives the same bytes. */
export function renderReport(text: ReportText, fonts: SheetFonts): Uint8Array {
  const paper = createPaper(LETTER, fonts)
  drawHead(paper, text)
  const flow = startFlow(paper, 690, MOST_PAGES)
  writeVerdict(flow, text)
  writeSection(flow, 'Qué significa', text.meaning)
  writeSection(flow, 'Advertencias', text.warnings)
  if (text.facts.length > 0) writeHeading(flow, 'Datos')
  writeFacts(flow, text.facts)
  if (text.entries.length > 0) writeHeading(flow, 'Firmas')
  for (const entry of text.entries) writeEntry(flow, entry)
  if (flow.isFull) {
    const style = { font: paper.regular, color: INK }
    drawLine(flow.paper, CUT_OFF, { x: MARGIN, y: BOTTOM - 12 }, 9, style)
  }
  writeFeet(flow, text.foot)
  return finishPaper(paper)
}

function drawHead(paper: Paper, { isTest }: ReportText): void {
  const band = { x: MARGIN + 64, y: 762, width: WIDTH - 64, height: 20 }
  drawBand(paper, band)
  drawSeal(paper, MARGIN, 766, 54)
  const title = isTest ? 'Informe de verificación, de prueba' : 'Informe de verificación'
  drawLine(paper, title, { x: band.x, y: 722 }, 18, { font: paper.bold, color: INK })
}

function writeVerdict(flow: Flow, { word, sentence, tone, isTest }: ReportText): void {
  writeText(flow, word, { size: 11, isBold: true, color: TONES[tone] })
  writeText(flow, sentence, { size: 18, isBold: true, color: INK })
  if (isTest)
    writeText(
      flow,
      'Informe de prueba: el certificado o la notaría son de demostración y nada de lo que aquí se dice tiene validez.',
      { size: 10, isBold: true, color: TONES.bad },
    )
}

function writeSection(flow: Flow, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  writeHeading(flow, title)
  for (const line of lines) writeText(flow, line, { size: 10, color: INK })
}

function writeEntry(flow: Flow, { title, tone, lines, facts }: ReportEntry): void {
  makeRoom(flow, 72)
  flow.y -= 6
  writeRule(flow, TONES[tone], 1)
  writeText(flow, title, { size: 11, isBold: true, color: TONES[tone] })
  for (const line of lines) writeText(flow, line, { size: 9.5, color: INK, indent: 10 })
  writeFacts(flow, facts, { indent: 10 })
}
