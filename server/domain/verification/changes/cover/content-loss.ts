import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  areaOf,
  type Box,
  boxAround,
  cornersOf,
  crosses,
  grownBy,
  heightOf,
  intersection,
  isWithin,
  meets,
  overlaps,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark, Paint, Run } from '#server/domain/verification/looks/marks.ts'
import type { CoveringLook } from './covering-ink.ts'
import {
  boxOf,
  halfOf,
  heightOfLetters,
  isAlongAxes,
  isWhite,
  lettersBox,
  TAIL,
  THIN,
} from './mark-box.ts'
import type { PageContent } from './page-content.ts'
import { isAnythingIn } from './printed-picture.ts'

/** What an area that hides all that is below it takes away. */
export type Loss = 'none' | 'doubtful' | 'hidden'

const ORDER = ['none', 'doubtful', 'hidden'] as const

export const worstLoss = (losses: readonly Loss[]): Loss =>
  ORDER.findLast((one) => losses.includes(one)) ?? 'none'

/** What is below a look of what its page draws. */
type LossOfContent = {
  /** By its areas. */
  readonly loss: Loss
  /** The letters and lines below it. */
  readonly cells: readonly Box[]
  readonly isWritten: boolean
  /** An area that is no emblem is over what a picture shows. */
  readonly isPictured: boolean
  /** Around the pictures below it, if they show anything there. */
  readonly pictured: Box | undefined
  /** Anything is below. */
  readonly isReached: boolean
}

/** What later looks take away from the content of pages. For `once`: many signatures were made on the same content. */
export function lossesOfContent() {
  const known = new Map<CoveringLook, readonly [PageContent, LossOfContent]>()
  return (content: PageContent, look: CoveringLook, meter: Comparing): LossOfContent => {
    const [same, kept] = known.get(look) ?? []
    if (kept && same === content) return kept
    spendOn(meter, content.pieces * (look.areas.length + 1))
    const loss = lossOfContent(content, look, meter.before)
    known.set(look, [content, loss])
    return loss
  }
}

function lossOfContent(
  { marks }: PageContent,
  { place, areas }: CoveringLook,
  document: PdfDocument,
): LossOfContent {
  const blunt = areas.filter(({ isEmblem }) => !isEmblem)
  const written = marks.filter((mark) => lossOf(mark, place) !== 'none')
  const pictures = marks.flatMap((mark) =>
    isPicture(mark) && areTogether(mark.box, place) ? [mark] : [],
  )
  // A scanned page is as blank as paper where nothing is printed.
  const printed = isAnythingIn(document, pictures, place) ? pictures.map(({ box }) => box) : []
  return {
    loss: worstLoss(areas.map(({ box }) => lossBelow(marks, box))),
    cells: written.flatMap(cellsOf),
    isWritten: written.length > 0,
    isPictured: printed.some((picture) => blunt.some(({ box }) => areTogether(picture, box))),
    pictured: printed.length > 0 ? boxAround(printed.flatMap(cornersOf)) : undefined,
    isReached: marks.some((mark) => overlaps(boxOf(mark), place)),
  }
}

/** Also a gradient that may draw digits. */
const isPicture = (mark: Mark): mark is Paint =>
  mark.kind === 'picture' || (mark.kind === 'fill' && mark.shading === 'shaded')

/** However thin they are: a page can be cut into pictures of one row. */
const areTogether = (a: Box, b: Box) => areaOf(intersection(a, b)) > 0

type Meter = { spend(steps: number): void }

type Comparing = Meter & { readonly before: PdfDocument }

/** A step of a comparison is as much work as many of these. */
export const spendOn = ({ spend }: Meter, pairs: number) => spend(Math.ceil(pairs / PAIRS_IN_STEP))
const PAIRS_IN_STEP = 100

export function lossBelow(content: readonly Mark[], area: Box): Loss {
  const losses = new Set(content.map((mark) => lossOf(mark, area)))
  if (losses.has('hidden')) return 'hidden'
  return losses.has('doubtful') || hidesWhiteOnDark(content, area) ? 'doubtful' : 'none'
}

/** Of one mark: a picture is judged by itself, and a ground on which all of the area stands loses nothing. */
export function lossOf(mark: Mark, area: Box): Loss {
  const shown = intersection(area, mark.clip)
  if (mark.kind === 'picture') return 'none'
  const loss = mark.kind === 'text' ? lossOfText(mark, shown) : lossOfPaint(mark, shown)
  return loss === 'hidden' && isWatermark(mark) && !isWithin(boxOf(mark), area, 1)
    ? 'doubtful'
    : loss
}

function lossOfText(run: Run, area: Box): Loss {
  if (run.mode === 3 || LINE_OF_SIGNS.test(run.text ?? '?')) return 'none'
  const { start, end, reach, slack } = run
  if (!isAlongAxes(run))
    return crosses(lengthened([start, end], slack), grownBy(area, reach)) ? 'hidden' : 'none'
  if (overlaps(boxOf(run), area)) return 'hidden'
  // Without its tail a comma is a point.
  return overlaps(lettersBox(run, { below: TAIL, above: ABOVE, slack }), area) ? 'doubtful' : 'none'
}

/** In parts of the size: how far accents reach. */
const ABOVE = 0.75

function lengthened([[x1, y1], [x2, y2]]: Segment, by: number): Segment {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [x, y] = [((x2 - x1) / length) * by, ((y2 - y1) / length) * by]
  return [
    [x1 - x, y1 - y],
    [x2 + x, y2 + y],
  ]
}

/** Neither white, which is on paper, nor a line to sign on. */
function lossOfPaint(paint: Paint, area: Box): Loss {
  if (isSurelyWhite(paint) || !isOutlineBelow(paint, area)) return 'none'
  if (!isFrame(paint)) return 'hidden'
  // Digits can be drawn of such lines.
  return hasWholeUpright(paint, area) ? 'doubtful' : 'none'
}

const isSurelyWhite = (mark: Mark) => mark.lightness !== undefined && isWhite(mark)

/** White lines and areas on a dark ground may be letters. */
const hidesWhiteOnDark = (content: readonly Mark[], area: Box) =>
  content.some(
    (mark) => mark.kind === 'fill' && !isSurelyWhite(mark) && overlaps(mark.box, area),
  ) &&
  content.some(
    (mark) =>
      mark.kind !== 'text' &&
      mark.kind !== 'picture' &&
      isSurelyWhite(mark) &&
      isOutlineBelow(mark, area) &&
      !isFrame(mark),
  )

/** Whether an edge of an area, or a line, runs below: elsewhere all is of one colour. */
function isOutlineBelow(paint: Paint, area: Box): boolean {
  const { kind, clip, segments, closings, curves } = paint
  const reached = grownBy(intersection(area, clip), kind === 'fill' ? -1 : halfOf(paint) - 0.5)
  if (!meets(paint.box, reached)) return false
  const isBelow = (segment: Segment) => crosses(segment, reached)
  return (
    curves.some((curve) => meets(curve, reached)) ||
    segments.some(isBelow) ||
    closings.some(isBelow)
  )
}

/** Thin and long, as the lines of frames and tables and those to sign on. */
function isFrame(paint: Paint): boolean {
  const box = boxOf(paint)
  const isLong = Math.max(widthOf(box), heightOf(box)) >= LONG
  if (isLong && Math.min(widthOf(box), heightOf(box)) <= THIN) return true
  return paint.kind === 'stroke' && paint.lineWidth <= THIN && isOfLongLines(paint)
}

const hasWholeUpright = ({ segments }: Paint, area: Box) =>
  segments.some(
    (segment) =>
      Math.abs(segment[0][1] - segment[1][1]) >= LONG &&
      isWithin(boxAround(segment), grownBy(area, -THIN), 0),
  )

/** Pale words or lines across the page, as a stamp has them: what is left of them may still say it. */
function isWatermark(mark: Mark): boolean {
  if (mark.kind === 'picture' || (mark.lightness ?? 0) <= 0.5) return false
  if (mark.kind === 'text') return !mark.isUpright && isDiagonal([mark.start, mark.end])
  const { kind, lineWidth, curves, segments } = mark
  return kind === 'stroke' && lineWidth <= THIN && curves.length === 0 && segments.every(isDiagonal)
}

const isDiagonal = ([[x1, y1], [x2, y2]]: Segment) =>
  Math.min(Math.abs(x1 - x2), Math.abs(y1 - y2)) >= LONG

/** A line to sign on, of signs; one point or dash alone belongs to an amount. */
const LINE_OF_SIGNS = /^\s*(?:[\s_]*|[\s.\-–—]{4,})$/u

/** In points: longer than the strokes of letters and digits. */
const LONG = 20

/** Straight along the page, as frames and tables are drawn. */
const isOfLongLines = ({ segments, curves }: Paint) =>
  curves.length === 0 &&
  segments.every(
    ([[x1, y1], [x2, y2]]) =>
      Math.min(Math.abs(x1 - x2), Math.abs(y1 - y2)) < 0.1 &&
      Math.max(Math.abs(x1 - x2), Math.abs(y1 - y2)) >= LONG,
  )

/** Where the letters of a text are, about one a box; frames have none. */
export function cellsOf(mark: Mark): Box[] {
  if (mark.kind === 'picture') return []
  if (mark.kind !== 'text') return isFrame(mark) ? [] : [boxOf(mark)]
  const { start, end, reach } = mark
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const count = Math.min(MOST_CELLS, Math.max(1, Math.round(Math.hypot(dx, dy) / reach)))
  const whole = boxOf(mark)
  return Array.from({ length: count }, (_, at): Box => {
    const [from, to] = [at / count, (at + 1) / count]
    const cell = boxAround([from, to].map((part) => [start[0] + part * dx, start[1] + part * dy]))
    if (!isAlongAxes(mark)) return grownBy(cell, heightOfLetters(mark) / 2)
    return Math.abs(dx) >= Math.abs(dy)
      ? { ...cell, bottom: whole.bottom, top: whole.top }
      : { ...cell, left: whole.left, right: whole.right }
  })
}

/** As many as a line of a page has letters. */
const MOST_CELLS = 256
