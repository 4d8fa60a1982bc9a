import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  entriesOf,
  isName,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { drawnOnPage, frameOf } from '#server/domain/verification/looks/frame.ts'
import { boxIn } from '#server/domain/verification/looks/geometry.ts'
import { type Mark, MOST_PIECES, piecesOf } from '#server/domain/verification/looks/marks.ts'

type DrawnLook = {
  /** In the coordinates of the page. */
  readonly marks: readonly Mark[]
  /** All of it was read. */
  readonly isWhole: boolean
}

/** What the look of an annotation draws; undefined for one without a look or a place. */
export const drawnLook = (document: PdfDocument, number: number): DrawnLook | undefined =>
  document.once(drawnLooks)(number)

/** The marks of that look, in the coordinates of the page. */
export const drawnBy = (document: PdfDocument, number: number): readonly Mark[] =>
  drawnLook(document, number)?.marks ?? []

/** Each earlier signature is compared with all later looks: what these draw is read once. For `once`. */
function drawnLooks(document: PdfDocument): (number: number) => DrawnLook | undefined {
  const known = new Map<number, DrawnLook | undefined>()
  let room = MOST_PIECES
  return (number) => {
    if (known.has(number)) return known.get(number)
    const drawn = lookOf(document, number)
    room -= piecesOf(drawn?.marks ?? [])
    if (room >= 0) known.set(number, drawn)
    return drawn
  }
}

function lookOf(document: PdfDocument, number: number): DrawnLook | undefined {
  const annotation = entriesOf(document.object(number)?.value)
  const [place, look] = [boxIn(document, annotation.get('Rect')), shownLook(document, annotation)]
  if (!place || !look) return undefined
  const frame = frameOf(document, annotation, look)
  return { marks: drawnOnPage(frame, place), isWhole: !frame.drawn.isCut }
}

/** The look of its state, if it has several. */
export function shownLook(
  document: PdfDocument,
  widget: ReadonlyMap<string, PdfObject>,
): PdfStream | undefined {
  const written = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  const state = document.resolve(widget.get('AS'))
  const look = isName(state) ? document.resolve(entriesOf(written).get(state.value)) : null
  return [written, look].find(isStream)
}
