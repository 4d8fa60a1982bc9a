import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, type PdfRef } from '#server/domain/pdf/object.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Rectangle } from '#server/domain/signing/paper.ts'
import { boxOf, isWhite } from '#server/domain/verification/changes/cover/mark-box.ts'
import { pageContents } from '#server/domain/verification/changes/cover/page-content.ts'
import {
  areaOf,
  type Box,
  boxIn,
  grownBy,
  intersection,
  meets,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark } from '#server/domain/verification/looks/marks.ts'

/** A page that can take a stamp. */
export type Room = {
  readonly page: PdfRef
  /** What of the page is shown. */
  readonly shown: Box
  readonly taken: readonly Box[]
}

/** In points, the largest first. The lowest fits into the margin of most deeds. */
export const STAMP_SIZES = [
  { width: 250, height: 76 },
  { width: 230, height: 56 },
] as const satisfies StampSize[]
export type StampSize = Pick<Rectangle, 'width' | 'height'>

/** From the edges of the page as it is shown: printers leave a strip white. */
const EDGE = 18
/** Between the stamp and what the page shows. */
const CLEARANCE = 6
const STEP = 8

/**
 * What of a page is taken; undefined if that is not sure: on scans it is everything, and pages that are turned or not
 * read whole are passed over.
 *
 * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
 */
export function roomOn(document: PdfDocument, page: PdfPage): Room | undefined {
  const { ref, dictionary, inherited } = page
  const media = boxIn(document, inherited.get('MediaBox'))
  const crop = boxIn(document, inherited.get('CropBox')) ?? media
  const turn = document.resolve(inherited.get('Rotate'))
  const unit = document.resolve(dictionary.entries.get('UserUnit'))
  if (!ref || !media || !crop || (turn !== null && turn !== 0) || (unit !== null && unit !== 1))
    return undefined
  const content = document.once(pageContents)(page)
  if (!content.isWhole) return undefined
  const shown = intersection(media, crop)
  const drawn = content.marks
    .filter((mark) => !isGround(mark, shown))
    .map((mark) => takenBy(mark, shown))
  return { page: ref, shown, taken: [...drawn, ...annotationsOn(document, page)] }
}

/** Of a text its whole line: how far letters reach is not sure where their font states no widths. */
function takenBy(mark: Mark, { left, right }: Box): Box {
  const box = intersection(boxOf(mark), mark.clip)
  return mark.kind === 'text' ? { ...box, left, right } : box
}

/** White below everything, as some programs begin a page. */
const isGround = (mark: Mark, page: Box) =>
  mark.kind === 'fill' &&
  isWhite(mark) &&
  areaOf(intersection(mark.box, page)) > 0.98 * areaOf(page)

/** Where the annotations of a page are, those of signatures included. */
function annotationsOn(document: PdfDocument, { dictionary }: PdfPage): Box[] {
  const list = document.resolve(dictionary.entries.get('Annots'))
  return (isArray(list) ? list.items : []).flatMap(
    (item) => boxIn(document, entriesOf(document.resolve(item)).get('Rect')) ?? [],
  )
}

/** Where stamps may be within the page. */
export const withinEdges = ({ shown }: Room): Box => grownBy(shown, -EDGE)

/** The blank places for a stamp of this size, the lowest first, from the right. */
export function* blankPlaces(room: Room, { width, height }: StampSize): Generator<Rectangle> {
  const within = withinEdges(room)
  if (!fitsInto(within, { width, height })) return
  const columns = steps(within.right - width, within.left)
  const near = room.taken.map((box) => grownBy(box, CLEARANCE))
  for (const y of steps(within.bottom, within.top - height)) {
    const row = { ...within, bottom: y, top: y + height }
    const closed = merged(
      near.filter((box) => meets(box, row)).map(({ left, right }) => [left - width, right]),
    )
    for (const x of columns)
      if (!closed.some(([from, to]) => from <= x && x <= to)) yield { x, y, width, height }
  }
}

const fitsInto = ({ left, bottom, right, top }: Box, { width, height }: StampSize) =>
  right - left >= width && top - bottom >= height

/** On paper the steps are 8 points; a page as large as a hall has no more of them. */
const MOST_STEPS = 400

/** The values from one to the other, both included: upwards to the top, or downwards to the left. */
function steps(from: number, to: number): number[] {
  const length = Math.abs(to - from)
  const step = Math.max(STEP, length / MOST_STEPS) * Math.sign(to - from)
  const count = step === 0 ? 0 : Math.ceil(length / Math.abs(step))
  return [...Array.from({ length: count }, (_, index) => from + index * step), to]
}

type Interval = readonly [from: number, to: number]

/** The same values in as few intervals as there can be. */
function merged(intervals: readonly Interval[]): Interval[] {
  const all: [number, number][] = []
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}
