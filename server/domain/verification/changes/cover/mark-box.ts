import type { Lightness } from '#server/domain/verification/looks/colour.ts'
import {
  type Box,
  boxAround,
  grownBy,
  type Point,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark, Paint, Run } from '#server/domain/verification/looks/marks.ts'

/** In points: as thin as the line on which people sign. */
export const THIN = 2

/** Paler letters and lines leave nothing of what is below them. */
const LIGHT = 0.6
/** A colour that is not computed may be white. */
export const isLight = ({ lightness = 1 }: { lightness?: Lightness }) => lightness > LIGHT

/** As light as its colour says, wherever it is drawn. A colour that is not computed may be dark. */
export const isPale = ({ lightness = 0, isRecoloured }: Mark) =>
  isLight({ lightness }) && !isRecoloured

/** Of a colour that is not computed, whether it may be white. */
export const isWhite = ({ lightness = 1 }: { lightness?: Lightness }) => lightness > 0.95

/** Where a mark is seen, but for its clip. */
export function boxOf(mark: Mark): Box {
  if (mark.kind !== 'text') return grownBy(mark.box, halfOf(mark))
  if (isAlongAxes(mark)) return lettersBox(mark, { below: 0.1, above: 0.6 })
  return grownBy(boxAround([mark.start, mark.end]), mark.reach + outlineOf(mark))
}

/** Whether the letters stand upright, or are turned by quarters. */
export function isAlongAxes({ sides: [[width, slope], [slant, height]] }: Run): boolean {
  const upright = Math.abs(width) + Math.abs(height)
  const turned = Math.abs(slope) + Math.abs(slant)
  return Math.min(upright, turned) < Math.max(upright, turned) / 100
}

/** Around letters along the axes, from below their line to above it, in parts of their height. */
export function lettersBox(
  run: Run,
  { below, above, slack = 0 }: { below: number; above: number; slack?: number },
): Box {
  const { start, end, reach, sides } = run
  const [along, up] = sides
  const width = Math.hypot(...along) || 1
  const from = (point: Point, by: number, level: number): Point => [
    point[0] + (along[0] / width) * by + up[0] * level,
    point[1] + (along[1] / width) * by + up[1] * level,
  ]
  const levels = [-below, above]
  // A letter is as wide as it is drawn, whatever width the font states.
  const points = levels.flatMap((level) => [
    from(start, -slack, level),
    from(start, reach / 2 + slack, level),
    from(end, -slack, level),
    from(end, slack, level),
  ])
  return grownBy(boxAround(points), outlineOf(run))
}

/** Just before the first letter, or just behind the last one, in parts of their height. */
export function besideLetters(run: Run, side: 'start' | 'end', gap: number): Box {
  const [along, up] = run.sides
  const width = Math.hypot(...along) || 1
  const slack = Math.min(run.slack, heightOfLetters(run) * MOST_SLACK)
  const far = slack + heightOfLetters(run) * gap
  const [from, to] = side === 'start' ? [-far, slack] : [-slack, far]
  const [x, y] = run[side]
  return boxAround(
    [from, to].flatMap((by) =>
      [0, CAPITAL].map(
        (level): Point => [
          x + (along[0] / width) * by + up[0] * level,
          y + (along[1] / width) * by + up[1] * level,
        ],
      ),
    ),
  )
}

/** In parts of the size: behind a text whose widths the font does not state, fields stand that are apart from it. */
const MOST_SLACK = 0.05

/** How far the tails of letters and commas reach down, in parts of the size of a font. */
export const TAIL = 0.22

/** How high capitals and digits are, in parts of the size of a font. */
export const CAPITAL = 0.7

/** In points, as the size of a font: what is drawn larger is no letter. */
export const LARGEST_DRAWN = 40

/** How high the letters are, however they are turned. */
export const heightOfLetters = ({ sides: [, up] }: Run) => Math.hypot(...up)

const outlineOf = (run: Run) => (hasOutlines(run) ? run.lineWidth / 2 : 0)

/** Whether outlines of letters are drawn. @see ISO 32000-2:2020, table 104 */
export const hasOutlines = ({ mode }: Run) => [1, 2, 5, 6].includes(mode)

/** Of a line: how far it reaches to either side. */
export const halfOf = ({ kind, lineWidth }: Paint) => (kind === 'stroke' ? lineWidth / 2 : 0)
