import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { PdfPage } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import {
  type Box,
  boxAround,
  grownBy,
  heightOf,
  overlaps,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark } from '#server/domain/verification/looks/marks.ts'
import { spendOn } from './content-loss.ts'
import { drawnBy } from './drawn-looks.ts'
import { isLetterOrOutline } from './letters.ts'
import { inkBoxOf, isReached, signedMarks } from './letters-below.ts'
import { boxOf, CAPITAL, heightOfLetters, isAlongAxes, LARGEST_DRAWN, THIN } from './mark-box.ts'
import { isTint } from './pieces-of-ink.ts'
import { turnOf } from './turned-back.ts'

/**
 * Whether a note or a mark that was added later draws over signed letters, or over a picture that may have some: with a
 * stroke a 1 becomes a 7. Lines along the text, longer than its letters are wide, and areas that only colour it leave it
 * as it was.
 */
export function scribblesOverLetters(
  comparison: Comparison,
  number: number,
  page: PdfPage,
): boolean {
  const scribbles = scribblesOf(comparison.after, number)
  if (scribbles.length === 0) return false
  const drawn = scribbles.map(({ box }) => box)
  const { marks, unread } = signedMarks(comparison, page, { drawn, skips: () => false })
  const pictures = marks.filter(({ kind }) => kind === 'picture').map(boxOf)
  const letters = marks.filter(isLetterOrOutline)
  const places = [...unread, ...pictures]
  spendOn(comparison, scribbles.length * (letters.length + places.length))
  const isTurned = turnOf(comparison.before, page) % 180 !== 0
  return scribbles.some(
    (scribble) =>
      letters.some((mark) => scribblesOver(scribble, mark, isTurned)) ||
      places.some((place) => overlaps(scribble.box, place) && !isLongLine(scribble, isTurned)),
  )
}

type Scribble = {
  readonly box: Box
  /** The thin lines of which it consists; none for another form. */
  readonly lines: readonly Box[]
}

/** What a note or a mark draws on its page, but for areas that only colour it. */
function scribblesOf(document: PdfDocument, number: number): Scribble[] {
  const drawn = drawnBy(document, number).filter((mark) => !isTint(mark))
  return drawn.map((mark) => ({ box: inkBoxOf(mark), lines: thinLinesOf(mark) }))
}

/** A line, or a wave below a word, or several straight lines. */
function thinLinesOf(mark: Mark): Box[] {
  if (mark.kind !== 'stroke') return []
  const whole = boxOf(mark)
  if (isThin(whole)) return [whole]
  const lines = mark.segments.map((segment) => grownBy(boxAround(segment), mark.lineWidth / 2))
  return mark.curves.length === 0 && lines.every(isThin) ? lines : []
}

const isThin = (box: Box) => Math.min(widthOf(box), heightOf(box)) <= 2 * THIN

const scribblesOver = ({ box, lines }: Scribble, mark: Mark, isTurned: boolean): boolean =>
  isReached(mark, box) &&
  (lines.length === 0 ||
    lines.some((line) => isReached(mark, line) && !isAlong(line, mark, isTurned)))

/** A line below a text or through it: a stroke of a letter is shorter, or higher, or in another direction. */
function isAlong(line: Box, mark: Mark, isTurned: boolean): boolean {
  if (mark.kind !== 'text')
    return isAsLong(line, Math.min(heightOfDrawn(mark, isTurned), LARGEST_DRAWN), isTurned)
  const {
    start: [x, y],
    sides: [along, up],
  } = mark
  const size = heightOfLetters(mark)
  const [toRight, upwards] = [(line.left + line.right) / 2 - x, (line.bottom + line.top) / 2 - y]
  const level = (toRight * up[0] + upwards * up[1]) / size ** 2
  return (
    isAlongAxes(mark) &&
    level <= HIGHEST_LINE &&
    isAsLong(line, size, Math.abs(along[1]) > Math.abs(along[0]))
  )
}

function isAsLong(line: Box, size: number, isUpwards: boolean): boolean {
  const [across, up] = [widthOf(line), heightOf(line)]
  const [length, width] = isUpwards ? [up, across] : [across, up]
  return length >= size * SHORTEST_LINE && width <= size * WIDEST_LINE
}

/** In parts of the size of the letters: more than a digit is wide, the height of a wave, and as high as lines through letters are. */
const [SHORTEST_LINE, WIDEST_LINE, HIGHEST_LINE] = [0.7, 0.4, 0.55] as const

/** The letters of a picture are not read: the line must be longer than most of their strokes. */
const isLongLine = ({ lines }: Scribble, isTurned: boolean) =>
  lines.length > 0 && lines.every((line) => (isTurned ? heightOf : widthOf)(line) >= LENGTH)

const heightOfDrawn = (mark: Mark, isTurned: boolean) =>
  (isTurned ? widthOf : heightOf)(boxOf(mark)) / CAPITAL

/** In points. */
const LENGTH = 10
