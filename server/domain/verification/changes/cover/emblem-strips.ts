import { edgesOf, filledStrips } from '#server/domain/verification/looks/filled-strips.ts'
import { type Box, heightOf } from '#server/domain/verification/looks/geometry.ts'
import type { Paint, Trace } from '#server/domain/verification/looks/marks.ts'

/** In points, and how many a form has at most. */
const STRIP = 1
const MOST_STRIPS = 400

/** The area of a form with any outline, as low strips. */
export const stripsOf = (paint: Paint): Trace[] =>
  filledStrips(edgesOf(paint), levelsOf(paint.box)).map((box) => ({ box, part: 1 }))

function levelsOf(box: Box): number[] {
  const step = Math.max(STRIP, heightOf(box) / MOST_STRIPS)
  const rows = Math.ceil(heightOf(box) / step)
  return Array.from({ length: rows + 1 }, (_, at) => box.bottom + at * step)
}
