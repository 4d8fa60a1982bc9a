import type { Lightness } from '#server/domain/verification/looks/colour.ts'
import { type Box, boxAround, grownBy } from '#server/domain/verification/looks/geometry.ts'
import type { Mark, Paint, Run } from '#server/domain/verification/looks/marks.ts'

/** In points: as thin as the line on which people sign. */
export const THIN = 2

/** Paler letters and lines leave nothing of what is below them. */
const LIGHT = 0.6
/** A colour that is not computed may be white. */
export const isLight = ({ lightness = 1 }: { lightness?: Lightness }) => lightness > LIGHT

/** Of a colour that is not computed, whether it may be white. */
export const isWhite = ({ lightness = 1 }: { lightness?: Lightness }) => lightness > 0.95

/** Where a mark is seen, but for its clip. */
export function boxOf(mark: Mark): Box {
  if (mark.kind !== 'text') return grownBy(mark.box, halfOf(mark))
  const { start, end, size, reach, isUpright } = mark
  const [[x, y], [endX]] = [start, end]
  const outline = hasOutlines(mark) ? mark.lineWidth / 2 : 0
  if (!isUpright) return grownBy(boxAround([start, end]), reach + outline)
  const letters = {
    left: Math.min(x, endX),
    // A letter is as wide as it is drawn, whatever width the font states.
    right: Math.max(x + reach / 2, endX),
    bottom: y - Math.abs(size) * 0.1,
    top: y + Math.abs(size) * 0.6,
  }
  return grownBy(letters, outline)
}

/** Whether outlines of letters are drawn. @see ISO 32000-2:2020, table 104 */
export const hasOutlines = ({ mode }: Run) => [1, 2, 5, 6].includes(mode)

/** Of a line: how far it reaches to either side. */
export const halfOf = ({ kind, lineWidth }: Paint) => (kind === 'stroke' ? lineWidth / 2 : 0)
