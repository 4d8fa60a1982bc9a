import { type Color, drawLine } from '#server/domain/pdf/canvas.ts'
import { COLUMN, HAIRLINE, INK, MUTED, marginOf, nextPage, type Paper, setLine } from './paper.ts'
import { drawable, fitText } from './text-fitting.ts'
import { widthOf } from './typeface.ts'

export type NamedText = {
  name: string
  value: string
  /** Machine-readable text: breaks anywhere. */
  isCode?: boolean
}

/** The margins of a page in letter size. */
export const MARGIN = 48
/** Text width between the margins. */
export const WIDTH = COLUMN
/** From the upper edge to the first line of a page that continues another. */
const TOP = 56
export const BOTTOM = 64

/** Text that flows over as many pages as it needs. */
export type Flow = {
  /** The paper with the current page. */
  paper: Paper
  /** The baseline of the next line, from the foot of the page. */
  y: number
  pages: number
  /** The page limit is reached: nothing more is written. */
  isFull: boolean
  readonly mostPages: number
}

/** Starts on the paper's current page, at `y`. */
export const startFlow = (paper: Paper, y: number, mostPages: number): Flow => ({
  paper,
  y,
  pages: 1,
  isFull: false,
  mostPages,
})

export type TextLook = {
  size: number
  color: Color
  isBold?: boolean
  indent?: number
  width?: number
}

export function writeText(flow: Flow, text: string, look: TextLook): void {
  const { size, color, isBold = false, indent = 0 } = look
  for (const line of linesOfText(flow, text, look)) {
    makeRoom(flow, leadingOf(look))
    if (flow.isFull) return
    const font = isBold ? flow.paper.bold : flow.paper.regular
    const at = { x: marginOf(flow.paper.page.size) + indent, y: flow.y - size }
    setLine(flow.paper, line, at, { size, font, color })
    flow.y -= leadingOf(look)
  }
}

export const heightOfText = (flow: Flow, text: string, look: TextLook): number =>
  linesOfText(flow, text, look).length * leadingOf(look)

const leadingOf = ({ size }: TextLook) => size * 1.4

function linesOfText(flow: Flow, text: string, look: TextLook): readonly string[] {
  const { size, isBold = false, indent = 0, width = WIDTH - indent } = look
  return linesOf(flow, text, size, width, isBold)
}

/** Writes a heading, never alone at the foot of a page. */
export function writeHeading(flow: Flow, title: string): void {
  makeRoom(flow, 48)
  flow.y -= 12
  writeText(flow, title, { size: 12, isBold: true, color: INK })
}

export type FactsLook = {
  indent?: number
  width?: number
  /** Width of the column of names. */
  nameWidth?: number
  size?: number
  /** Closer and without rules, for facts that belong together. */
  isDense?: boolean
}

/** Between two facts that share a row. */
const GAP = 12

/** Like `writeFacts`, dense: first those that are short, two in a row, with names of `pairedNameWidth`. */
export function writePairedFacts(
  flow: Flow,
  facts: readonly NamedText[],
  { pairedNameWidth, ...look }: FactsLook & { pairedNameWidth: number },
): void {
  const width = (WIDTH - GAP) / 2
  const half = { ...look, isDense: true, nameWidth: pairedNameWidth, width }
  const short = facts.filter((fact) => rowsOf(flow, fact, half) === 1)
  for (let index = 0; index < short.length; index += 2) {
    makeRoom(flow, pitchOf(look) + 2)
    const { y } = flow
    writeFacts(flow, short.slice(index, index + 1), half)
    flow.y = y
    writeFacts(flow, short.slice(index + 1, index + 2), { ...half, indent: width + GAP })
    flow.y = y - pitchOf(look)
  }
  const long = facts.filter((fact) => !short.includes(fact))
  writeFacts(flow, long, { ...look, isDense: true })
}

/** Names and values in two columns. A long value may continue on the next page. */
export function writeFacts(flow: Flow, facts: readonly NamedText[], look: FactsLook = {}): void {
  const { indent = 0, width = WIDTH - indent, nameWidth = 150, size = 9, isDense } = look
  const pitch = pitchOf(look)
  for (const fact of facts) {
    const { names, values } = columnsOf(flow, fact, look)
    const rows = Math.max(names.length, values.length)
    makeRoom(flow, pitch + 2)
    for (let row = 0; row < rows; row += 1) {
      makeRoom(flow, pitch)
      const [x, y] = [marginOf(flow.paper.page.size) + indent, flow.y - size]
      writeLine(flow, names[row], { x, y, size, color: MUTED })
      writeLine(flow, values[row], { x: x + nameWidth, y, size, color: INK })
      flow.y -= pitch
    }
    if (!isDense) writeRule(flow, HAIRLINE, 0.25, { indent, width })
  }
}

/** The height of dense facts. */
export function heightOf(flow: Flow, facts: readonly NamedText[], look: FactsLook): number {
  const rows = facts.map((fact) => rowsOf(flow, fact, look))
  return rows.reduce((sum, count) => sum + count, 0) * pitchOf(look)
}

function rowsOf(flow: Flow, fact: NamedText, look: FactsLook): number {
  const { names, values } = columnsOf(flow, fact, look)
  return Math.max(names.length, values.length)
}

const pitchOf = ({ size = 9 }: FactsLook) => size + 3

function columnsOf(flow: Flow, { name, value, isCode = false }: NamedText, look: FactsLook) {
  const { indent = 0, width = WIDTH - indent, nameWidth = 150, size = 9 } = look
  const room = width - nameWidth
  const values = isCode ? codeLinesOf(flow, value, size, room) : linesOf(flow, value, size, room)
  return { names: linesOf(flow, name, size, nameWidth - 10), values }
}

function writeLine(
  flow: Flow,
  line: string | undefined,
  at: { x: number; y: number; size: number; color: Color },
): void {
  if (line && !flow.isFull) setLine(flow.paper, line, at, { ...at, font: flow.paper.regular })
}

export function writeRule(
  flow: Flow,
  color: Color,
  thickness: number,
  { indent = 0, width = WIDTH - indent }: { indent?: number; width?: number } = {},
): void {
  if (flow.isFull) return
  flow.y -= 3
  const { y } = flow
  const x = marginOf(flow.paper.page.size) + indent
  drawLine(flow.paper.page, { x, y }, { x: x + width, y }, { color, width: thickness })
  flow.y -= 4
}

/** Points from the first line to the foot of a page that continues another. */
export const heightOfPage = ({ paper }: Flow): number => paper.page.size.height - TOP - BOTTOM

export const hasRoom = (flow: Flow, height: number): boolean => flow.y - height >= BOTTOM

/** Starts a new page if fewer than `height` points are left. */
export function makeRoom(flow: Flow, height: number): void {
  if (flow.isFull || hasRoom(flow, height)) return
  if (flow.pages === flow.mostPages) {
    flow.isFull = true
    return
  }
  const { size } = flow.paper.page
  flow.paper = nextPage(flow.paper, size)
  flow.pages += 1
  flow.y = size.height - TOP
}

/** Writes the text and the page number at the foot of every page. */
export function writeFeet(flow: Flow, text: string): void {
  const { regular, pack } = flow.paper
  const style = { size: 8, font: regular, color: MUTED }
  const foot = linesOf(flow, text, style.size, WIDTH - 90)[0] ?? ''
  pack.pages.forEach((page, index) => {
    const number = drawable(`Página ${index + 1} de ${flow.pages}`, regular)
    const margin = marginOf(flow.paper.page.size)
    const x = margin + WIDTH - widthOf(number, regular, style.size)
    setLine({ ...flow.paper, page }, foot, { x: margin, y: 36 }, style)
    setLine({ ...flow.paper, page }, number, { x, y: 36 }, style)
  })
}

function codeLinesOf({ paper: { regular } }: Flow, text: string, size: number, width: number) {
  const lines: string[] = []
  let line = ''
  for (const sign of drawable(text, regular)) {
    if (widthOf(line + sign, regular, size) > width) {
      lines.push(line)
      line = ''
    }
    line += sign
  }
  return [...lines, line]
}

function linesOf({ paper }: Flow, text: string, size: number, width: number, isBold = false) {
  const font = isBold ? paper.bold : paper.regular
  return fitText(text, font, { width, lines: 60, size, smallest: size }).lines
}
