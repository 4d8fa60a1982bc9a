import type { ArchivalNeeds } from '#server/domain/pdf/archival/archival-needs.ts'
import {
  addPage,
  type Canvas,
  type Color,
  createCanvas,
  drawObject,
  drawPath,
  drawRectangle,
  drawText,
  type Resources,
} from '#server/domain/pdf/canvas.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { newDocument, type ObjectStore } from '#server/domain/pdf/new-document.ts'
import { isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import type { PageSize } from '#server/domain/pdf/page-size.ts'
import { guillocheBand } from './guilloche.ts'
import { makeOrnament, type Ornament, ornamentStream } from './ornament.ts'
import { qrCode } from './qr-code.ts'
import { SEAL_SIZE, sealDrawing } from './seal.ts'
import { drawable, fitText, type TextBox } from './text-fitting.ts'
import { isUsual, placeTypeface, type Typeface } from './typeface.ts'

/** The fonts of the sheets, loaded by the caller. */
export type SheetFonts = { regular: Typeface; bold: Typeface }

/** With what the file asks of what is added to it. */
export type SheetStyle = SheetFonts & { readonly needs?: ArchivalNeeds | undefined }

/** Whether colours have no meaning in the file. */
const isGreyFor = (needs: ArchivalNeeds | undefined) => needs?.colours === 'grey'

/** In points, y upwards from the lower left corner of the page. */
export type Rectangle = { x: number; y: number; width: number; height: number }

/** As a /Rect: left, bottom, right, top. */
export const cornersOf = ({ x, y, width, height }: Rectangle) =>
  [x, y, x + width, y + height] as const

export type Paper = SheetStyle & {
  /** The current page. */
  readonly page: Canvas
  readonly pack: Pack
}

/** Shared by the pages of one paper. */
type Pack = {
  readonly pages: Canvas[]
  readonly ornaments: Map<Ornament, string>
  /** True if only usual letters were written. */
  isAllUsual: boolean
}

/** The usual paper of Mexican offices. */
export const LETTER = { width: 612, height: 792 }

/** The width of what is written on a sheet, the same on each paper. */
export const COLUMN = 516

/** Left and right of the column. */
export const marginOf = ({ width }: Pick<PageSize, 'width'>) => (width - COLUMN) / 2

export const INK: Color = [0.106, 0.141, 0.125]
export const MUTED: Color = [0.31, 0.36, 0.34]
export const GREEN: Color = [0.043, 0.42, 0.294]
export const HAIRLINE: Color = [0.55, 0.6, 0.58]
const BLACK: Color = [0, 0, 0]
export const WHITE: Color = [1, 1, 1]

/** An empty page. Its bytes depend only on what is drawn. */
export function createPaper(size: Canvas['size'], { regular, bold, needs }: SheetStyle): Paper {
  const page = createCanvas(size, isGreyFor(needs))
  const pack = { pages: [page], ornaments: new Map<Ornament, string>(), isAllUsual: true }
  return { regular, bold, needs, page, pack }
}

/** Adds a page to the paper. */
export function nextPage(paper: Paper, size: Canvas['size']): Paper {
  const page = createCanvas(size, isGreyFor(paper.needs))
  paper.pack.pages.push(page)
  return { ...paper, page }
}

/** Fonts that the file may contain already, by resource name. */
export type KnownFonts = { document: PdfDocument; fonts: ReadonlyMap<string, PdfObject> }

/** Writes the resources shared by all pages. Call after the last text was drawn. */
export function placeResources(
  store: ObjectStore,
  { regular, bold, pack, needs }: Paper,
  known?: KnownFonts,
): Resources {
  const extent = { isAllUsual: pack.isAllUsual, listsGlyphs: needs?.isFirstPart === true }
  const place = (typeface: Typeface) => {
    const ref = known?.fonts.get(typeface.name)
    const own = known && isRef(ref) ? { document: known.document, ref } : undefined
    return [typeface.name, placeTypeface(store, typeface, extent, own)] as const
  }
  const ornaments = [...pack.ornaments].map(
    ([ornament, name]) => [name, store.add(ornamentStream(ornament, isGreyFor(needs)))] as const,
  )
  return {
    Font: Object.fromEntries([place(regular), place(bold)]),
    XObject: Object.fromEntries(ornaments),
  }
}

/** A file of all pages of the paper. */
export function finishPaper(paper: Paper): Uint8Array {
  const document = newDocument()
  const resources = placeResources(document, paper)
  return document.finish(paper.pack.pages.map((page) => addPage(document, page, resources)))
}

type TextStyle = { font: Typeface; color: Color; leading?: number }

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
    setLine(paper, line, { x: at.x, y: at.y - index * size * leading }, { size, font, color })
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
  setLine(paper, drawable(text, font), at, { size, font, color })
}

/** One line of drawable text, as it is; `turn` in radians about its beginning. */
export function setLine(
  { page, pack }: Paper,
  line: string,
  at: { x: number; y: number; turn?: number },
  style: { font: Typeface; size: number; color: Color },
): void {
  if (pack.isAllUsual && !isUsual(line)) pack.isAllUsual = false
  drawText(page, line, at, style)
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
      [guilloche, { stroke: { color: GREEN, width: guillocheWidth } }],
      [disc, { fill: GREEN, isEvenOdd: true }],
    ],
    { width: SEAL_SIZE, height: SEAL_SIZE },
  )
}

const WAVES = 9
/** By size; each kind of paper has one. */
const bands = new Map<string, Ornament>()

/** The waves of security paper, with the upper left corner of their band at `x`, `y`. */
export function drawBand(paper: Paper, { x, y, width, height }: Rectangle) {
  const size = `${width} × ${height}`
  const band = bands.get(size) ?? makeBand(width, height)
  bands.set(size, band)
  drawOrnament(paper, band, { x, y, scale: 1 })
}

function makeBand(width: number, height: number): Ornament {
  const style = { stroke: { color: GREEN, width: 0.35 } }
  return makeOrnament(
    guillocheBand(width, height, WAVES).map((wave) => [wave, style] as const),
    { width, height },
  )
}

function drawOrnament(
  { page, pack: { ornaments } }: Paper,
  ornament: Ornament,
  at: { x: number; y: number; scale: number },
): void {
  const name = ornaments.get(ornament) ?? `Ornament${ornaments.size + 1}`
  ornaments.set(ornament, name)
  drawObject(page, name, at)
}

/**
 * A QR code of `side` points with its upper left corner at `x`, `top`. On white, unless the place is blank: an area
 * of a later look would hide what is below.
 */
export function drawQrCode(
  { page }: Paper,
  text: string,
  { x, top, side }: { x: number; top: number; side: number },
  isBlank = false,
) {
  const code = qrCode(text)
  const quiet = (4 * side) / code.size
  const whole = side + 2 * quiet
  const white = { x: x - quiet, y: top - side - quiet, width: whole, height: whole }
  if (!isBlank) drawRectangle(page, white, { fill: WHITE })
  const scale = side / code.size
  const modules = code.runs.map((run) => `${run.x} ${run.y} ${run.length} 1 re`).join('\n')
  drawPath(page, modules, { x, y: top, scale }, { fill: BLACK })
}
