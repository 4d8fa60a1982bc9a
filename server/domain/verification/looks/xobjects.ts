import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  entriesOf,
  isNamed,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { isPlainlyCoded, MAX_CONTENT } from './content-coding.ts'
import {
  boxAround,
  boxIn,
  cornersOf,
  intersection,
  matrixIn,
  product,
  transformed,
} from './geometry.ts'
import { covers, type Graphics, inGroup } from './graphics.ts'
import { type Paint, plainPaint, unreadPaint } from './marks.ts'
import { addMark, type Pen } from './pen.ts'
import { shownThrough } from './soft-mask.ts'

const MAX_DEPTH = 6

/** A content stream inside another one. */
export type Form = {
  readonly content: Uint8Array
  readonly resources: ReadonlyMap<string, PdfObject>
  readonly graphics: Graphics
}

/**
 * Draws an image. Of a form, returns what it draws.
 *
 * @see ISO 32000-2:2020, 8.8 to 8.10
 */
export function drawXObject(pen: Pen, object: PdfObject): Form | undefined {
  const { sheet, graphics, depth } = pen
  const { document } = sheet
  const entries = entriesOf(object)
  const subtype = document.resolve(entries.get('Subtype'))
  if (entries.has('OC')) sheet.isOdd = true
  if (isStream(object) && isNamed(subtype, 'Image')) addMark(sheet, picture(pen, object))
  else if (isStream(object) && isNamed(subtype, 'Form') && depth < MAX_DEPTH) {
    const form = formOf(document, object, graphics)
    if (!isPlainlyCoded(document, object)) sheet.isOdd = true
    if (form) return form
    drawUnread(pen)
  } else if (object === null && depth === 0) sheet.isOdd = sheet.isCut = true
  // Readers look in the resources of the page for a name that those of a form lack.
  else drawUnread(pen)
  return undefined
}

const UNIT_SQUARE = { left: 0, bottom: 0, right: 1, top: 1 }

function drawUnread({ sheet, graphics: { clip } }: Pen): void {
  sheet.isOdd = sheet.isCut = true
  addMark(sheet, unreadPaint(clip, clip))
}

function picture({ sheet: { document }, graphics }: Pen, object: PdfStream): Paint {
  const { entries } = object.dictionary
  const isStencil = document.resolve(entries.get('ImageMask')) === true
  const { mixing, isTransferred, isRenamed, isMasked, fillsPattern } = graphics
  const isShaped = isStencil && fillsPattern !== undefined && fillsPattern !== 'ground'
  const isAsSampled = mixing !== 'odd' && !isTransferred && !isRenamed && !isMasked && !isShaped
  const hides = covers(graphics, 'picture', undefined)
  const shown = hides ? shownThrough(document, object, graphics.matrix) : undefined
  return {
    ...plainPaint('picture', placeOf(graphics), graphics.clip),
    ...(isAsSampled && { image: { stream: object, matrix: graphics.matrix } }),
    ...(shown && { shown }),
    isOpaque: graphics.isOpaque && !isStencil && !entries.has('SMask') && !entries.has('Mask'),
    covers: hides && !shown,
  }
}

/** A picture whose data stands among the instructions: it is not read. */
export const inlinePicture = (graphics: Graphics): Paint => ({
  ...plainPaint('picture', placeOf(graphics), graphics.clip),
  isOpaque: false,
})

const placeOf = ({ matrix }: Graphics) =>
  boxAround(cornersOf(UNIT_SQUARE).map((corner) => transformed(matrix, corner)))

/** Undefined for a form without a box, or with a matrix that is none. */
function formOf(document: PdfDocument, form: PdfStream, graphics: Graphics): Form | undefined {
  const { entries } = form.dictionary
  const own = matrixIn(document, entries.get('Matrix'))
  const box = boxIn(document, entries.get('BBox'))
  if (!own || !box) return undefined
  const matrix = product(own, graphics.matrix)
  const around = boxAround(cornersOf(box).map((corner) => transformed(matrix, corner)))
  const inside = { ...graphics, matrix, clip: intersection(graphics.clip, around) }
  return {
    content: document.decoded(form, MAX_CONTENT),
    resources: entriesOf(document.resolve(entries.get('Resources'))),
    graphics: entries.has('Group') ? inGroup(inside) : inside,
  }
}
