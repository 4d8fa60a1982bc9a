/** Draws that come out the same in each start of a demo: a start that was interrupted is continued. */
export type Chance = {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  /** One of the items, each as often as its weight says. */
  weighted<T extends { weight: number }>(items: readonly T[]): T
}

/** Mulberry32: short, and even enough for titles and times. */
export function createChance(seed: number): Chance {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: <T>(items: readonly T[]) => itemAt(items, below(items.length)),
    weighted<T extends { weight: number }>(items: readonly T[]) {
      let left = below(items.reduce((sum, { weight }) => sum + weight, 0))
      for (const item of items) {
        left -= item.weight
        if (left < 0) return item
      }
      return itemAt(items, items.length - 1)
    },
  }
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError('nothing to draw from')
  return item
}
