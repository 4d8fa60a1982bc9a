import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import {
  glyphReader,
  HAS_MATRIX,
  HAS_MORE,
  HAS_SCALE,
  HAS_TWO_SCALES,
  HAS_WORDS,
  type Tables,
  table,
} from '#server/domain/pdf/true-type.ts'
import { around, cornersOf, type GlyphBounds, limitedTo, type Point, type Spend } from './bounds.ts'

/** @throws {RangeError} for outlines that are not read to their end */
export function trueTypeBounds(tables: Tables, meter: WorkMeter): GlyphBounds {
  const em = table(tables, 'head').getUint16(18)
  if (em === 0) throw new RangeError('the font has no em')
  const { count, outline } = glyphReader(tables)
  const read = outlineReader(outline, limitedTo(MOST_POINTS, meter, BYTES_IN_POINT))
  const corners = Array.from({ length: count }, (_, id) => read(id)).flat()
  return around(corners.map(([x, y]): Point => [x / em, y / em]))
}

const MAX_DEPTH = 6
/** Of a whole font: more than those for Chinese have. A component or a glyph takes as long as several points. */
const MOST_POINTS = 6_000_000
const POINTS_OF_COMPONENT = 10
const POINTS_OF_GLYPH = 16
const BYTES_IN_POINT = 4

/** The corners of the box around each glyph, each read once. */
function outlineReader(outline: (id: number) => Uint8Array, spend: Spend) {
  const known = new Map<number, readonly Point[]>()
  return read

  function read(id: number, depth = 0): readonly Point[] {
    const found = known.get(id)
    if (found) return found
    spend(POINTS_OF_GLYPH)
    if (depth > MAX_DEPTH) throw new RangeError('a glyph is made of itself')
    const bytes = outline(id)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const isSimple = bytes.length === 0 || view.getInt16(0) >= 0
    const points = isSimple
      ? pointsOf(view, spend)
      : componentsIn(view, spend).flatMap(({ glyph, place }) => read(glyph, depth + 1).map(place))
    const corners = cornersOf(around(points))
    known.set(id, corners)
    return corners
  }
}

/** Flags of a point. @see ISO/IEC 14496-22, 5.3.3 */
const [SHORT_X, SHORT_Y, REPEATED, SAME_X, SAME_Y] = [2, 4, 8, 16, 32]

function pointsOf(view: DataView, spend: Spend): Point[] {
  if (view.byteLength === 0) return []
  const contours = view.getInt16(0)
  if (contours === 0) return []
  const count = view.getUint16(10 + 2 * (contours - 1)) + 1
  spend(count)
  let at = 10 + 2 * contours
  at += 2 + view.getUint16(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = view.getUint8(at++)
    const times = flag & REPEATED ? view.getUint8(at++) + 1 : 1
    for (let time = 0; time < times; time++) flags.push(flag)
  }
  const coordinates = (short: number, same: number) => {
    let value = 0
    return flags.slice(0, count).map((flag) => {
      if (flag & short) value += flag & same ? view.getUint8(at++) : -view.getUint8(at++)
      else if (!(flag & same)) {
        value += view.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const across = coordinates(SHORT_X, SAME_X)
  const up = coordinates(SHORT_Y, SAME_Y)
  return across.map((x, index) => [x, up[index]!])
}

const [IS_PLACE, IS_SCALED_PLACE] = [2, 0x800]
type Component = { glyph: number; place: (point: Point) => Point }

function componentsIn(view: DataView, spend: Spend): Component[] {
  const components: Component[] = []
  let flags: number = HAS_MORE
  for (let at = 10; flags & HAS_MORE; ) {
    spend(POINTS_OF_COMPONENT)
    flags = view.getUint16(at)
    // Placed by a point of another glyph.
    if (!(flags & IS_PLACE)) throw new RangeError('a component has no place of its own')
    if (flags & IS_SCALED_PLACE && scalesOf(flags) > 0)
      throw new RangeError('the place of a component is scaled')
    const glyph = view.getUint16(at + 2)
    const hasWords = (flags & HAS_WORDS) !== 0
    const [x, y] = hasWords
      ? [view.getInt16(at + 4), view.getInt16(at + 6)]
      : [view.getInt8(at + 4), view.getInt8(at + 5)]
    at += hasWords ? 8 : 6
    const scales = Array.from({ length: scalesOf(flags) }, (_, index) =>
      view.getInt16(at + 2 * index),
    ).map((scale) => scale / 16384)
    at += 2 * scales.length
    const [a = 1, b = a, c = 0, d = 0] = scales
    const matrix = scales.length === 4 ? [a, b, c, d] : [a, 0, 0, b]
    components.push({
      glyph,
      place: ([px, py]) => [
        matrix[0]! * px + matrix[2]! * py + x,
        matrix[1]! * px + matrix[3]! * py + y,
      ],
    })
  }
  return components
}

function scalesOf(flags: number): number {
  if (flags & HAS_SCALE) return 1
  if (flags & HAS_TWO_SCALES) return 2
  return flags & HAS_MATRIX ? 4 : 0
}
