import { edgeCountOf, edgesOf, filledStrips, type Spend } from './filled-strips.ts'
import type { Frame } from './frame.ts'
import { hides, isEdge } from './frame-lines.ts'
import { areaOf, type Box, grownBy, heightOf, intersection, widthOf } from './geometry.ts'
import { type Mark, type Paint, piecesOf, type Run } from './marks.ts'
import { hasPlainOutline } from './outline.ts'
import { isShown } from './sign-look.ts'

/**
 * Whether a person sees a sign in a box: a mark that the empty box does not have, inside of it, and neither pale nor
 * below another one.
 *
 * @param empty what the box shows that is not ticked; undefined for nothing
 */
export function showsASign(frame: Frame, empty: Frame | undefined, spend: Spend): boolean {
  const { marks } = frame.ink
  spend(piecesOf(marks) * ((empty?.ink.marks.length ?? 0) + 1) + marks.length ** 2)
  const isSimple = marks.reduce((sum, mark) => sum + edgesIn(mark), 0) <= MOST_EDGES
  return marks.some(
    (mark, at) =>
      !isShown(mark, empty) &&
      (mark.kind === 'text' ? isPlainLetter(mark) : isPlainPaint(mark, frame)) &&
      (mark.kind !== 'fill' || (isSimple && hasSurface(mark, spend))) &&
      isInside(mark, frame) &&
      hasContrast(mark, marks.slice(0, at)) &&
      !marks.slice(at + 1).some((later) => isOver(later, mark)),
  )
}

/** In points: the least height of letters that are seen, and how long a line or an area is. */
const [SMALLEST, SHORTEST] = [2, 2] as const
/** In points and square points: of a line, and of an area. */
const [THINNEST, LEAST_AREA] = [0.2, 1] as const

function isPlainLetter(run: Run): boolean {
  const { font, text, size, stretch } = run
  const isDrawn = text === undefined ? font?.isEmbedded === true : VISIBLE.test(text)
  return (
    isDrawn &&
    run.isUpright &&
    run.isOpaque &&
    size >= SMALLEST &&
    stretch >= 0.3 &&
    stretch <= 3 &&
    hasPlainOutline(run)
  )
}

/** Neither spaces nor codes for which fonts have no letter. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Of areas that are not filled where they overlap, it is not computed whether anything is left. */
function isPlainPaint(paint: Paint, frame: Frame): boolean {
  const { kind, box, isOpaque } = paint
  if (!isOpaque || isEdge(paint, frame)) return false
  if (Math.max(widthOf(box), heightOf(box)) < SHORTEST) return false
  if (kind === 'stroke') return !paint.isDashed && paint.lineWidth >= THINNEST
  return kind === 'fill' && !paint.isEvenOdd
}

/** Of all areas together, for their surfaces to be computed: a box with a tick of curves has some three hundred. */
const MOST_EDGES = 1000
const edgesIn = (mark: Mark) => (mark.kind === 'fill' ? edgeCountOf(mark) : 0)

/** What is filled, however often a path goes around it: between the heights of its corners all edges are straight. */
function hasSurface(paint: Paint, spend: Spend): boolean {
  const edges = edgesOf(paint)
  const heights = edges.flatMap((edge) => edge.map(([, y]) => y))
  const levels = [...new Set(heights)].sort((a, b) => a - b)
  let surface = 0
  for (const strip of filledStrips(edges, levels, spend)) {
    surface += areaOf(strip)
    if (surface >= LEAST_AREA) return true
  }
  return false
}

/** Where it is drawn, about. */
function boxOf(mark: Mark): Box {
  if (mark.kind === 'stroke') return grownBy(mark.box, mark.lineWidth / 2)
  if (mark.kind !== 'text') return mark.box
  const { start, likelyEnd, size } = mark
  const [x, y] = start
  return {
    left: x,
    bottom: y,
    right: Math.max(likelyEnd, x + size * 0.25),
    top: y + size * 0.6,
  }
}

/** At least half of it, in each direction, is neither beside the field nor cut off. */
function isInside(mark: Mark, { width, height }: Frame): boolean {
  const whole = boxOf(mark)
  const field = { left: 0, bottom: 0, right: width, top: height }
  const seen = intersection(intersection(whole, mark.clip), field)
  return widthOf(seen) * 2 >= widthOf(whole) && heightOf(seen) * 2 >= heightOf(whole)
}

const LEAST_CONTRAST = 0.35

function hasContrast(mark: Mark, below: readonly Mark[]): boolean {
  const ground = below.findLast((one) => isOver(one, mark))
  const { lightness } = mark
  const behind = ground ? ground.lightness : 1
  return (
    lightness !== undefined &&
    behind !== undefined &&
    Math.abs(lightness - behind) >= LEAST_CONTRAST
  )
}

/** Whether an area or a wide line takes half of the place of a mark. */
function isOver(other: Mark, mark: Mark): boolean {
  if (other.kind === 'text') return false
  const isArea = hides(other) || (other.isOpaque && other.lineWidth > THIN)
  const place = boxOf(mark)
  const shared = intersection(intersection(boxOf(other), other.clip), place)
  return isArea && areaOf(shared) * 2 >= areaOf(place)
}

/** In points. */
const THIN = 2
