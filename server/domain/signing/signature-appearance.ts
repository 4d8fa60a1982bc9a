import { addForm, drawRectangle, drawLine as drawStroke } from '#server/domain/pdf/canvas.ts'
import type { ObjectStore } from '#server/domain/pdf/new-document.ts'
import type { PdfRef } from '#server/domain/pdf/object.ts'
import { characterText } from '#server/domain/signing/character-text.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { AwaitedSignature, SignerCaption, StampFacts } from './increment.ts'
import {
  createPaper,
  drawFitted,
  drawLine,
  drawQrCode,
  drawSeal,
  GREEN,
  HAIRLINE,
  INK,
  type KnownFonts,
  MUTED,
  type Paper,
  placeResources,
  type SheetStyle,
} from './paper.ts'
import { widthOf } from './typeface.ts'

/**
 * Draws the appearance of a signature in a field of `size` points. The same caption and time give the same
 * bytes. Has no background: the field may be on a printed one.
 */
export function drawSignatureAppearance(
  caption: SignerCaption,
  at: Instant,
  zone: string,
  size: { width: number; height: number },
  fonts: SheetStyle,
): Paper {
  const paper = createPaper(size, fonts)
  drawFrame(paper, size)
  const seal = Math.min(size.height * 0.62, size.width * 0.2)
  drawMark(paper, size.height, seal)
  const column = { x: seal + 14, width: size.width - seal - 20 }
  const below = drawSigner(paper, caption, column, size.height)
  drawDetails(paper, details(caption, at, zone), { x: column.x, y: below }, column.width)
  return paper
}

/**
 * Draws the same for a blank place of a document that gets no signature sheet, with the folio, and with code and QR
 * code of the public verification where it may find the document.
 */
export function drawStamp(
  caption: SignerCaption,
  { at, zone, stamp }: { at: Instant; zone: string; stamp: StampFacts },
  size: { width: number; height: number },
  fonts: SheetStyle,
): Paper {
  const paper = createPaper(size, fonts)
  drawFrame(paper, size)
  const side = size.height - 2 * STAMP_EDGE
  const code = { x: size.width - STAMP_EDGE - side, top: size.height - STAMP_EDGE, side }
  const { folio, publicAddress } = stamp
  if (publicAddress) drawQrCode(paper, publicAddress.url, code, true)
  const end = publicAddress ? code.x : size.width
  const column = { x: STAMP_EDGE, width: end - 2 * STAMP_EDGE }
  const below = drawSigner(paper, caption, column, size.height)
  const lines = [
    ...details(caption, at, zone),
    publicAddress ? `Folio ${folio} · Verificar: ${publicAddress.code}` : `Folio ${folio}`,
  ]
  drawDetails(paper, lines, { x: column.x, y: below }, column.width)
  return paper
}

/** Around the code, which scanners want to stand alone. */
const STAMP_EDGE = 7

/** Writes the paper's first page as the appearance of a field. */
export function addAppearance(store: ObjectStore, paper: Paper, known?: KnownFonts): PdfRef {
  return addForm(store, paper.page, placeResources(store, paper, known))
}

/**
 * Draws an unsigned field: a dashed frame and words, so that it is recognizable on paper and without colours.
 */
export function drawAwaitedSignature(
  paper: Paper,
  { name, character }: Pick<AwaitedSignature, 'name' | 'character'>,
  size: { width: number; height: number },
) {
  drawFrame(paper, size, [3, 2])
  const column = { x: 10, width: size.width - 20 }
  drawSigner(paper, { name, character }, column, size.height)
  drawLine(paper, 'Pendiente de firma', { x: column.x, y: 9 }, 8, {
    font: paper.bold,
    color: MUTED,
  })
}

/** The line at the bottom is the signature line. */
function drawFrame(
  { page }: Paper,
  { width, height }: { width: number; height: number },
  dashes: readonly number[] = [],
) {
  const edges = { x: 0.4, y: 0.4, width: width - 0.8, height: height - 0.8 }
  drawRectangle(page, edges, { stroke: { color: HAIRLINE, width: 0.5, dashes } })
  drawStroke(page, { x: 0, y: 0.5 }, { x: width, y: 0.5 }, { color: INK, width: 1 })
}

/** The seal at the left edge, centred, with the kind of signature below it. */
function drawMark(paper: Paper, height: number, seal: number) {
  const top = height - (height - seal) / 2 + 5
  drawSeal(paper, 6, top, seal)
  const kind = 'e.firma'
  const size = Math.max(5, seal * 0.17)
  const x = 6 + (seal - widthOf(kind, paper.bold, size)) / 2
  drawLine(paper, kind, { x, y: top - seal - size - 1 }, size, { font: paper.bold, color: GREEN })
}

/** Name and character; returns the lowest base line. */
function drawSigner(
  paper: Paper,
  { name, character }: Pick<SignerCaption, 'name' | 'character'>,
  { x, width }: { x: number; width: number },
  height: number,
): number {
  const style = { color: INK, leading: 1.1 }
  const nameBox = { width, lines: 2, size: 10, smallest: 6 }
  const nameStyle = { ...style, font: paper.bold }
  const belowName = drawFitted(paper, name, { x, y: height - 15.5 }, nameBox, nameStyle)
  const characterBox = { width, lines: 2, size: 7.5, smallest: 5.5 }
  const characterStyle = { ...style, font: paper.regular }
  return drawFitted(
    paper,
    character ? characterText(character) : 'Firmante',
    { x, y: belowName - 10.5 },
    characterBox,
    characterStyle,
  )
}

/** One line each, spread over the room down to the lower edge. */
function drawDetails(
  paper: Paper,
  lines: readonly string[],
  below: { x: number; y: number },
  width: number,
) {
  const pitch = Math.min(10.5, (below.y - 6) / lines.length)
  const style = { font: paper.regular, color: INK }
  const box = { width, lines: 1, size: Math.min(7, pitch), smallest: 4.5 }
  lines.forEach((line, index) => {
    drawFitted(paper, line, { x: below.x, y: below.y - (index + 1) * pitch }, box, style)
  })
}

function details(caption: SignerCaption, at: Instant, zone: string): string[] {
  const number = caption.certificateNumber.replace(/(.{4})(?=.)/g, '$1 ')
  const lines = [`Certificado ${number}`, `Firmado el ${formatInstant(at, zone)}`]
  return caption.rfc ? [`RFC ${caption.rfc}`, ...lines] : lines
}
