import type { Pixels } from '#server/adapters/pdf-work/palette.ts'

const MOST_COLOURS = 256
/** Of red, green and blue together, squared: what the eye does not tell apart in the edges of letters. */
const ALIKE = 8 ** 2

/**
 * The pixels in at most 256 colours, so that a palette holds them: the most frequent ones that differ visibly, and each
 * other colour as the nearest of these.
 */
export function withFewColours({ width, height, data }: Pixels): Pixels {
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += 4) {
    const colour = colourAt(data, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const kept = frequentOf(counts)
  const instead = new Map([...counts.keys()].map((colour) => [colour, nearestIn(kept, colour)]))
  const few = new Uint8Array(data.length)
  for (let at = 0; at < data.length; at += 4) {
    const colour = instead.get(colourAt(data, at)) ?? 0
    few.set([colour >> 16, (colour >> 8) & 255, colour & 255, 255], at)
  }
  return { width, height, data: few }
}

const colourAt = (data: Uint8Array, at: number) =>
  (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!

function frequentOf(counts: ReadonlyMap<number, number>): number[] {
  if (counts.size <= MOST_COLOURS) return [...counts.keys()]
  const kept: number[] = []
  // Equally frequent ones in the order of their numbers: the same pixels give the same file.
  const sorted = [...counts].sort(([a, often], [b, seldom]) => seldom - often || a - b)
  for (const [colour] of sorted) {
    if (kept.length === MOST_COLOURS) break
    if (kept.every((other) => distance(colour, other) > ALIKE)) kept.push(colour)
  }
  return kept
}

const nearestIn = (kept: readonly number[], colour: number): number =>
  kept.reduce((best, other) => (distance(other, colour) < distance(best, colour) ? other : best))

function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16)
  const green = ((one >> 8) & 255) - ((other >> 8) & 255)
  const blue = (one & 255) - (other & 255)
  return red * red + green * green + blue * blue
}
