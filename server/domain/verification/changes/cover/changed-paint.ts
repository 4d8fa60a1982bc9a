import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { isHidden } from '#server/domain/verification/changes/signature-field-rule.ts'
import {
  areaOf,
  type Box,
  boxAround,
  boxIn,
  grownBy,
  intersection,
  isWithin,
} from '#server/domain/verification/looks/geometry.ts'
import { type Paint, paintsOf } from '#server/domain/verification/looks/marks.ts'
import { drawnLook } from './drawn-looks.ts'
import { boxOf } from './mark-box.ts'

/**
 * Where the ground, the border and the lines of a widget are not those that were signed: what is added may hide what is
 * below or change it, and what is gone no longer hides it.
 *
 * @returns boxes in the coordinates of the page
 */
export function changedPaint(
  { before, after }: Pick<Comparison, 'before' | 'after'>,
  number: number,
): { added: readonly Box[]; gone: readonly Box[] } {
  const [signed, now] = [paintOf(before, number), paintOf(after, number)]
  return { added: without(now.perhaps, signed.surely), gone: without(signed.perhaps, now.surely) }
}

/** In the coordinates of the page: where all readers paint, and where one of them may. */
type Painted = { readonly surely: readonly Box[]; readonly perhaps: readonly Box[] }

const NOTHING: Painted = { surely: [], perhaps: [] }

function paintOf(document: PdfDocument, number: number): Painted {
  const widget = entriesOf(document.object(number)?.value)
  const place = boxIn(document, widget.get('Rect'))
  if (!place || areaOf(place) === 0 || isHidden(document, widget)) return NOTHING
  const look = drawnLook(document, number)
  const isUnknown = look ? !look.isWhole : isDrawnByReaders(document, widget)
  if (isUnknown) return { surely: [], perhaps: [place] }
  const boxes = paintsOf({ marks: look?.marks ?? [] }).flatMap(partsOf)
  return { surely: boxes, perhaps: boxes }
}

/** Some readers draw the ground that a widget declares. @see ISO 32000-2:2020, table 192 */
function isDrawnByReaders(document: PdfDocument, widget: ReadonlyMap<string, PdfObject>): boolean {
  const look = document.resolve(entriesOf(document.resolve(widget.get('AP'))).get('N'))
  const ground = document.resolve(entriesOf(document.resolve(widget.get('MK'))).get('BG'))
  return look === null && isArray(ground) && ground.items.length > 0
}

/** Of a line, around each of its parts; of an area, all of it. */
function partsOf(paint: Paint): Box[] {
  if (!paint.covers) return []
  const { kind, segments, curves, lineWidth, clip } = paint
  const parts = kind === 'stroke' ? [...segments.map(boxAround), ...curves] : []
  const boxes =
    parts.length > 0 ? parts.map((part) => grownBy(part, lineWidth / 2)) : [boxOf(paint)]
  return boxes.map((box) => intersection(box, clip)).filter((box) => areaOf(box) > 0)
}

const without = (boxes: readonly Box[], others: readonly Box[]) =>
  boxes.filter((box) => !others.some((other) => isWithin(box, other, ROUNDING)))

/** In points: programs draw a ground and its border anew about where they were. */
const ROUNDING = 1
