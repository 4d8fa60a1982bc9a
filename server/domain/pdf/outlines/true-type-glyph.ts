import {
  HAS_MATRIX,
  HAS_MORE,
  HAS_SCALE,
  HAS_TWO_SCALES,
  HAS_WORDS,
} from '#server/domain/pdf/true-type.ts'
import type { Point, Spend } from './bounds.ts'

/** In steps: a component takes as long as several points. */
const POINTS_OF_COMPONENT = 10

/** Of glyphs that are made of others. */
export const MAX_DEPTH = 6

export const isSimple = (view: DataView) => view.byteLength === 0 || view.getInt16(0) >= 0

/** Flags of a point. @see ISO/IEC 14496-22, 5.3.3 */
const [ON_CURVE, SHORT_X, SHORT_Y, REPEATED, SAME_X, SAME_Y] = [1, 2, 4, 8, 16, 32]

/** A glyph that is not made of others: all its points, those beside its curves too. */
export type SimpleGlyph = {
  readonly points: readonly Point[]
  /** Of each point, whether its outline goes through it. */
  readonly isOn: readonly boolean[]
  /** The number of the last point of each contour. */
  readonly ends: readonly number[]
}

const EMPTY: SimpleGlyph = { points: [], isOn: [], ends: [] }

export function simpleGlyph(view: DataView, spend: Spend): SimpleGlyph {
  const contours = view.byteLength === 0 ? 0 : view.getInt16(0)
  if (contours === 0) return EMPTY
  const ends = Array.from({ length: contours }, (_, contour) => view.getUint16(10 + 2 * contour))
  const count = ends.at(-1)! + 1
  spend(count + contours)
  let at = 10 + 2 * contours
  at += 2 + view.getUint16(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = view.getUint8(at++)
    const times = flag & REPEATED ? view.getUint8(at++) + 1 : 1
    for (let time = 0; time < times; time++) flags.push(flag)
  }
  const known = flags.slice(0, count)
  const coordinates = (short: number, same: number) => {
    let value = 0
    return known.map((flag) => {
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
  return {
    points: across.map((x, index) => [x, up[index]!]),
    isOn: known.map((flag) => (flag & ON_CURVE) !== 0),
    ends,
  }
}

const [IS_PLACE, LENDS_METRICS, IS_SCALED_PLACE] = [2, 0x200, 0x800]

export type Component = {
  readonly glyph: number
  readonly place: (point: Point) => Point
  /** The whole glyph has its left side bearing. */
  readonly lendsMetrics: boolean
}

/** The glyphs that one is made of. @throws {RangeError} for places that readers take differently */
export function componentsIn(view: DataView, spend: Spend): Component[] {
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
      lendsMetrics: (flags & LENDS_METRICS) !== 0,
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
