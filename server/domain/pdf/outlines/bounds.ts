import type { WorkMeter } from '#server/domain/pdf/limits.ts'

/** Around outlines, in parts of the em, from where a letter stands. */
export type GlyphBounds = {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

export type Point = readonly [x: number, y: number]

/** Around where a letter stands and all points that are added. */
export function growingBounds() {
  const bounds = { left: 0, bottom: 0, right: 0, top: 0 }
  return {
    bounds: bounds as GlyphBounds,
    add([x, y]: Point) {
      bounds.left = Math.min(bounds.left, x)
      bounds.right = Math.max(bounds.right, x)
      bounds.bottom = Math.min(bounds.bottom, y)
      bounds.top = Math.max(bounds.top, y)
    },
  }
}

export function around(points: Iterable<Point>): GlyphBounds {
  const { bounds, add } = growingBounds()
  for (const point of points) add(point)
  return bounds
}

export const cornersOf = ({ left, bottom, right, top }: GlyphBounds): Point[] => [
  [left, bottom],
  [right, bottom],
  [right, top],
  [left, top],
]

/**
 * Takes so many steps from what a font may cost, and from what its file may.
 *
 * @throws {RangeError} for a font that costs more
 * @throws {PdfError} `too-complex` for a file that costs more
 */
export type Spend = (steps: number) => void

/** @param bytesInStep how many bytes can be looked at in the time of a step */
export function limitedTo(steps: number, meter: WorkMeter, bytesInStep: number): Spend {
  let room = steps
  return (count) => {
    room -= count
    if (room < 0) throw new RangeError('the outlines of the font cost too much')
    meter.spend(count * bytesInStep)
  }
}
