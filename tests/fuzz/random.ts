/** Numbers that look random and are always the same for the same seed. */
export type Random = {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  bytes(length: number): Uint8Array
}

/** @see mulberry32 by Tommy Ettinger, in the public domain */
export function randomFrom(seed: number, stream: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number) => (limit <= 1 ? 0 : next() % limit)
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    bytes: (length) => Uint8Array.from({ length }, () => next() & 255),
  }
}
