import type { Spend } from './bounds.ts'
import { type Contour, quadraticContour } from './contours.ts'
import {
  componentsIn,
  isSimple,
  MAX_DEPTH,
  type SimpleGlyph,
  simpleGlyph,
} from './true-type-glyph.ts'

/** The contours of each glyph, in units of the font. @throws {RangeError} for outlines that are not read to their end */
export function contourReader(
  outline: (id: number) => Uint8Array,
  spend: Spend,
): (id: number) => Contour[] {
  return (id) => read(id, 0)

  function read(id: number, depth: number): Contour[] {
    if (depth > MAX_DEPTH) throw new RangeError('a glyph is made of itself')
    const bytes = outline(id)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    if (isSimple(view)) return contoursOf(simpleGlyph(view, spend))
    return componentsIn(view, spend).flatMap(({ glyph, place }) =>
      read(glyph, depth + 1).map((contour) => contour.map(place)),
    )
  }
}

/** @throws {RangeError} for a contour that ends before it starts */
function contoursOf({ points, isOn, ends }: SimpleGlyph): Contour[] {
  return ends.map((end, at) => {
    const start = at === 0 ? 0 : ends[at - 1]! + 1
    if (end < start) throw new RangeError('a contour ends before it starts')
    return quadraticContour(points.slice(start, end + 1), isOn.slice(start, end + 1))
  })
}
