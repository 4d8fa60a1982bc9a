import { createHash } from 'node:crypto'
import { FillRule, PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { fontEngine } from './font-subsetting.ts'
import { guillocheBand } from './guilloche.ts'
import { drawOrnament, makeOrnament, type Ornament } from './ornament.ts'
import { qrCode } from './qr-code.ts'
import { SEAL_SIZE, sealDrawing } from './seal.ts'
import { drawable, fitText, type TextBox } from './text-fitting.ts'

/** The font files of the signature sheet, loaded by the caller. */
export type SheetFonts = { regular: Uint8Array; bold: Uint8Array }

/** In points, y upwards from the lower left corner of the page. */
export type Rectangle = { x: number; y: number; width: number; height: number }

/** As a /Rect: left, bottom, right, top. */
export const cornersOf = ({ x, y, width, height }: Rectangle) =>
  [x, y, x + width, y + height] as const

export type Paper = {
  document: PDFDocument
  page: PDFPage
  regular: PDFFont
  bold: PDFFont
}

/** What Mexican offices have in their printers. */
export const LETTER = { width: 612, height: 792 }

export const INK = rgb(0.106, 0.141, 0.125)
export const MUTED = rgb(0.31, 0.36, 0.34)
export const GREEN = rgb(0.043, 0.42, 0.294)
export const HAIRLINE = rgb(0.55, 0.6, 0.58)

/**
 * An empty document of one page whose bytes depend on nothing but what is drawn: it has no dates and no
 * identifier, and the tags of its font subsets come from `content`.
 *
 * @param content all that decides what will be drawn: strings and numbers in a fixed order
 */
export async function createPaper(
  size: { width: number; height: number },
  fonts: SheetFonts,
  content: readonly (string | number | boolean)[],
): Promise<Paper> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.registerFontkit(fontEngine)
  const embed = (bytes: Uint8Array, style: string) =>
    document.embedFont(bytes, {
      subset: true,
      customName: `${subsetTag(style, content)}+RubricaSans-${style}`,
    })
  return {
    document,
    regular: await embed(fonts.regular, 'Regular'),
    bold: await embed(fonts.bold, 'Bold'),
    page: document.addPage([size.width, size.height]),
  }
}

/** The same paper on one more page. */
export const nextPage = (paper: Paper, { width, height }: { width: number; height: number }) => ({
  ...paper,
  page: paper.document.addPage([width, height]),
})

/** A plain cross-reference table and no object streams: what every reader and our own parser takes. */
export function finishPaper({ document }: Paper): Promise<Uint8Array> {
  return document.save({
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: false,
  })
}

type TextStyle = { font: PDFFont; color: ReturnType<typeof rgb>; leading?: number }

/** Draws the text from the base line `y` downwards and returns the base line of its last line. */
export function drawFitted(
  paper: Paper,
  text: string,
  at: { x: number; y: number },
  box: TextBox,
  { font, color, leading = 1.25 }: TextStyle,
): number {
  const { lines, size } = fitText(text, font, box)
  lines.forEach((line, index) => {
    paper.page.drawText(line, { x: at.x, y: at.y - index * size * leading, size, font, color })
  })
  return at.y - (lines.length - 1) * size * leading
}

/** One line that is known to fit. */
export function drawLine(
  paper: Paper,
  text: string,
  at: { x: number; y: number },
  size: number,
  { font, color }: TextStyle,
) {
  paper.page.drawText(drawable(text, font), { ...at, size, font, color })
}

let seal: Ornament | undefined

/** The seal with its upper left corner at `x`, `y`. */
export function drawSeal(paper: Paper, x: number, y: number, size: number) {
  seal ??= makeSeal()
  drawOrnament(paper, seal, { x, y, scale: size / SEAL_SIZE })
}

function makeSeal(): Ornament {
  const { guilloche, guillocheWidth, disc } = sealDrawing()
  return makeOrnament(
    [
      [guilloche, { borderColor: GREEN, borderWidth: guillocheWidth }],
      [disc, { color: GREEN, fillRule: FillRule.EvenOdd }],
    ],
    { width: SEAL_SIZE, height: SEAL_SIZE },
  )
}

const WAVES = 9
/** By their size, of which there is one for each kind of paper. */
const bands = new Map<string, Ornament>()

/** The waves of security paper, with the upper left corner of their band at `x`, `y`. */
export function drawBand(paper: Paper, { x, y, width, height }: Rectangle) {
  const size = `${width} × ${height}`
  const band = bands.get(size) ?? makeBand(width, height)
  bands.set(size, band)
  drawOrnament(paper, band, { x, y })
}

function makeBand(width: number, height: number): Ornament {
  const style = { borderColor: GREEN, borderWidth: 0.35 }
  return makeOrnament(
    guillocheBand(width, height, WAVES).map((wave) => [wave, style] as const),
    { width, height },
  )
}

/** A QR code of `side` points with its upper left corner at `x`, `top`, on white. */
export function drawQrCode(
  { page }: Paper,
  text: string,
  { x, top, side }: { x: number; top: number; side: number },
) {
  const code = qrCode(text)
  const quiet = (4 * side) / code.size
  const whole = side + 2 * quiet
  const white = { x: x - quiet, y: top - side - quiet, width: whole, height: whole }
  page.drawRectangle({ ...white, color: rgb(1, 1, 1) })
  page.drawSvgPath(code.path, { x, y: top, scale: side / code.size, color: rgb(0, 0, 0) })
}

/** Six capitals, as a subset font must carry them. @see ISO 32000-2:2020, 9.9.2 */
function subsetTag(style: string, content: readonly (string | number | boolean)[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([style, ...content]))
    .digest()
  return [...digest.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('')
}
