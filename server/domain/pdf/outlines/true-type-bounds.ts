import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { glyphReader, type Tables, table } from '#server/domain/pdf/true-type.ts'
import { around, cornersOf, type GlyphBounds, limitedTo, type Point, type Spend } from './bounds.ts'
import { componentsIn, isSimple, MAX_DEPTH, simpleGlyph } from './true-type-glyph.ts'

/** @throws {RangeError} for outlines that are not read to their end */
export function trueTypeBounds(tables: Tables, meter: WorkMeter): GlyphBounds {
  const em = table(tables, 'head').getUint16(18)
  if (em === 0) throw new RangeError('the font has no em')
  const { count, outline } = glyphReader(tables)
  const read = outlineReader(
    outline,
    sideBearings(tables),
    limitedTo(MOST_POINTS, meter, BYTES_IN_POINT),
  )
  const corners = Array.from({ length: count }, (_, id) => drawnCorners(read(id))).flat()
  return around(corners.map(([x, y]): Point => [x / em, y / em]))
}

/** Of a whole font: more than those for Chinese have. A component or a glyph takes as long as several points. */
const MOST_POINTS = 6_000_000
const POINTS_OF_GLYPH = 16
const BYTES_IN_POINT = 4

/** The corners of the box around a glyph as it is made, and how far it may be moved along the line. */
type Outline = { readonly corners: readonly Point[]; readonly shifts: readonly number[] }

/** Some readers draw a glyph where it is made, most move it to its left side bearing. */
const drawnCorners = ({ corners, shifts }: Outline): Point[] =>
  [0, Math.min(...shifts), Math.max(...shifts)].flatMap((shift) =>
    corners.map(([x, y]): Point => [x + shift, y]),
  )

/** The outline of each glyph, read once. */
function outlineReader(
  outline: (id: number) => Uint8Array,
  sideBearing: (id: number) => number,
  spend: Spend,
): (id: number) => Outline {
  const known = new Map<number, Outline>()
  return read

  function read(id: number, depth = 0): Outline {
    const found = known.get(id)
    if (found) return found
    spend(POINTS_OF_GLYPH)
    if (depth > MAX_DEPTH) throw new RangeError('a glyph is made of itself')
    const bytes = outline(id)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const { points, shifts } = isSimple(view)
      ? { points: simpleGlyph(view, spend).points, shifts: [] }
      : withComponents(view, depth)
    const own = bytes.length === 0 ? 0 : sideBearing(id) - view.getInt16(LEFT_EDGE)
    const made = { corners: cornersOf(around(points)), shifts: [own, ...shifts] }
    known.set(id, made)
    return made
  }

  /** With the shifts of the components whose side bearing may be that of the whole. */
  function withComponents(view: DataView, depth: number) {
    const parts = componentsIn(view, spend).map((component) => ({
      ...component,
      made: read(component.glyph, depth + 1),
    }))
    return {
      points: parts.flatMap(({ made, place }) => made.corners.map(place)),
      shifts: extremesOf(
        parts.flatMap(({ made, lendsMetrics }) => (lendsMetrics ? made.shifts : [])),
      ),
    }
  }
}

/** Of a list that may be empty. */
const extremesOf = (values: readonly number[]) =>
  values.length === 0
    ? []
    : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]

/** Where the header of a glyph states its left edge: readers measure from there, true or not. */
const LEFT_EDGE = 2

/**
 * Where the left edge of each glyph is drawn. Those behind the last one with a width of its own have theirs in a list
 * without widths.
 *
 * @throws {RangeError} for glyphs that the table lacks: readers differ in what they take
 * @see ISO/IEC 14496-22, 5.2.4
 */
function sideBearings(tables: Tables): (id: number) => number {
  const [metrics, widths] = [table(tables, 'hmtx'), table(tables, 'hhea').getUint16(34)]
  if (widths === 0) throw new RangeError('the font has no widths')
  return (id) => metrics.getInt16(id < widths ? 4 * id + 2 : 2 * widths + 2 * id)
}
