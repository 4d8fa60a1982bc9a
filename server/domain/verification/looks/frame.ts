import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isNamed, type PdfObject, type PdfStream } from '#server/domain/pdf/object.ts'
import {
  type Box,
  boxAround,
  boxIn,
  cornersOf,
  heightOf,
  IDENTITY,
  type Matrix,
  matrixIn,
  type Point,
  product,
  type Segment,
  widthOf,
} from './geometry.ts'
import { inkOf } from './ink.ts'
import { type Ink, type Mark, type Run, runsOf, shapeOf, UNREADABLE } from './marks.ts'

/** The rectangle of a widget in points, as its look sees it: the lower left corner is 0 0, and the top is up. */
export type Frame = {
  readonly width: number
  readonly height: number
  /** How the look is turned on its page, in degrees; undefined where that is no quarter. */
  readonly turn: number | undefined
  /** Odd where the look is drawn in another size, or turned in another way, than it was made. */
  readonly ink: Ink
  /** The same, in whatever size. */
  readonly drawn: Ink
}

/** How much larger or smaller a look may be drawn than it was made, and how much it may be distorted. */
const MOST_SCALED = 2
const MOST_DISTORTED = 1.25

/**
 * What the look of a widget draws in its rectangle. Its matrix turns it as the widget says, or its instructions do: it
 * has no matrix then, and writes nothing upright. Looks that are turned in another way, or enlarged, are odd: readers
 * differ about them.
 *
 * @see ISO 32000-2:2020, 12.5.5, algorithm "appearance streams"
 */
export function frameOf(
  document: PdfDocument,
  widget: ReadonlyMap<string, PdfObject>,
  look: PdfStream,
): Frame {
  const { entries } = look.dictionary
  const rectangle = boxIn(document, widget.get('Rect'))
  const box = boxIn(document, entries.get('BBox'))
  const matrix = matrixIn(document, entries.get('Matrix'))
  const [width, height] = rectangle ? [widthOf(rectangle), heightOf(rectangle)] : [0, 0]
  const turn = matrix && turnOfMatrix(matrix)
  if (
    !box ||
    turn === undefined ||
    arealess(width, height) ||
    arealess(widthOf(box), heightOf(box))
  )
    return { width, height, turn, ink: UNREADABLE, drawn: UNREADABLE }
  const wanted = wantedTurn(document, widget)
  const [across, up] = isSideways(turn) ? [height, width] : [width, height]
  const [scaleX, scaleY] = [across / widthOf(box), up / heightOf(box)]
  const isAsMade =
    Math.max(scaleX, scaleY) <= MOST_SCALED &&
    Math.min(scaleX, scaleY) >= 1 / MOST_SCALED &&
    Math.max(scaleX / scaleY, scaleY / scaleX) <= MOST_DISTORTED &&
    isNamed(document.resolve(entries.get('Subtype')), 'Form') &&
    (turn === 0 || turn === wanted) &&
    [...entries.keys()].every((key) => LOOK_KEYS.has(key))
  const fitted: Matrix = [scaleX, 0, 0, scaleY, -box.left * scaleX, -box.bottom * scaleY]
  const seenFrom = (inner: number): Frame => {
    const size = isSideways(inner) ? [up, across] : [across, up]
    const [right, top] = size as [number, number]
    const drawn = inkOf(document, look, {
      matrix: product(fitted, turnBack(inner, across, up)),
      clip: { left: 0, bottom: 0, right, top },
    })
    const ink = { ...drawn, isOdd: drawn.isOdd || !isAsMade }
    return { width: right, height: top, turn: turn + inner, ink, drawn }
  }
  const frame = seenFrom(0)
  return turn === 0 && wanted !== 0 && !writesUpright(frame) ? seenFrom(wanted) : frame
}

const isSideways = (turn: number) => turn === 90 || turn === 270

const writesUpright = ({ drawn }: Frame) =>
  runsOf(drawn).some(({ isUpright, text }) => isUpright && text?.trim() !== '')

/** Onto the frame of a look that instructions turn: the inverse of `pointOnPage`. */
function turnBack(turn: number, width: number, height: number): Matrix {
  if (turn === 90) return [0, -1, 1, 0, 0, width]
  if (turn === 180) return [-1, 0, 0, -1, width, height]
  if (turn === 270) return [0, 1, -1, 0, height, 0]
  return IDENTITY
}

type Turned = Pick<Frame, 'turn'>

/** Where on its page a box of a frame is. */
export function boxOnPage(frame: Turned, place: Box): (box: Box) => Box {
  const point = pointOnPage(frame, place)
  return (box) => boxAround(cornersOf(box).map(point))
}

/**
 * What a frame draws, in the coordinates of its page.
 *
 * @param place of the annotation
 */
export function drawnOnPage(frame: Pick<Frame, 'turn' | 'drawn'>, place: Box): Mark[] {
  const [point, box] = [pointOnPage(frame, place), boxOnPage(frame, place)]
  const segment = ([start, end]: Segment): Segment => [point(start), point(end)]
  return frame.drawn.marks.map((mark) => {
    if (mark.kind === 'text') return runOnPage(mark, frame, place)
    const { image: _, ...paint } = mark
    return {
      ...paint,
      segments: mark.segments.map(segment),
      closings: mark.closings.map(segment),
      spikes: mark.spikes.map(segment),
      arcs: mark.arcs.map(([a, b, c, d]) => [point(a), point(b), point(c), point(d)] as const),
      curves: mark.curves.map(box),
      ...(mark.shown && { shown: mark.shown.map((one) => ({ ...one, box: box(one.box) })) }),
      box: box(mark.box),
      clip: box(mark.clip),
    }
  })
}

function runOnPage(run: Run, frame: Turned, place: Box): Run {
  const point = pointOnPage(frame, place)
  const origin = point([0, 0])
  const direction = (side: Point): Point => {
    const [x, y] = point(side)
    return [x - origin[0], y - origin[1]]
  }
  const [along, up] = run.sides
  const placed = {
    ...run,
    start: point(run.start),
    end: point(run.end),
    sides: [direction(along), direction(up)] as const,
    clip: boxOnPage(frame, place)(run.clip),
  }
  if (frame.turn === 0)
    return {
      ...placed,
      leastEnd: run.leastEnd + place.left,
      likelyEnd: run.likelyEnd + place.left,
      mostEnd: run.mostEnd + place.left,
    }
  const [end] = placed.end
  return { ...placed, ...{ leastEnd: end, likelyEnd: end, mostEnd: end }, ...shapeOf(placed.sides) }
}

function pointOnPage({ turn }: Turned, { left, bottom, right, top }: Box): (point: Point) => Point {
  return ([x, y]) => {
    if (turn === 90) return [right - y, bottom + x]
    if (turn === 180) return [right - x, top - y]
    if (turn === 270) return [left + y, top - x]
    return [left + x, bottom + y]
  }
}

const arealess = (width: number, height: number) => !(width > 0 && height > 0)

/** Neither layers (/OC) nor what stands for the look in other programs (/OPI, /Ref, /PS). */
const LOOK_KEYS = new Set(
  'Type Subtype FormType BBox Matrix Resources Length Filter DecodeParms DL Group LastModified Name StructParent StructParents PieceInfo Metadata'.split(
    ' ',
  ),
)

/** Counterclockwise, in degrees; undefined for matrices that do something else. */
function turnOfMatrix([a, b, c, d]: Matrix): number | undefined {
  const [isStraight, isSideways] = [isZero(b) && isZero(c), isZero(a) && isZero(d)]
  if (isStraight && a > 0 && d > 0) return 0
  if (isStraight && a < 0 && d < 0) return 180
  if (isSideways && b > 0 && c < 0) return 90
  if (isSideways && b < 0 && c > 0) return 270
  return undefined
}

const isZero = (value: number) => Math.abs(value) < 1e-6

/** @see ISO 32000-2:2020, table 192, entry "R" */
function wantedTurn(document: PdfDocument, widget: ReadonlyMap<string, PdfObject>): number {
  const turn = document.resolve(entriesOf(document.resolve(widget.get('MK'))).get('R'))
  return typeof turn === 'number' && turn % 90 === 0 ? ((turn % 360) + 360) % 360 : 0
}
