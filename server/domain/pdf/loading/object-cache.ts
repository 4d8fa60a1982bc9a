import type { IndirectObject } from '#server/domain/pdf/object.ts'

/** Objects that were read, as far as they fit into memory. */
export type ObjectCache = {
  get(number: number): Cached | undefined
  /** @param bytes that it takes in memory */
  set(number: number, object: IndirectObject | undefined, bytes: number): void
}

/** `object` is undefined for a number that the file does not use. */
type Cached = { readonly object: IndirectObject | undefined; readonly bytes: number }

/**
 * In bytes. A catalog, its pages and what they share are read first. More would cost memory where there is least of it:
 * most objects of a large file are looked at one after the other, and seldom again.
 */
const MOST_KEPT = 4 << 20
/** Of some hundred objects: those that outlive one tidying up of the youngest memory stay in it for long. */
const MOST_RECENT = 128 << 10

/**
 * Keeps the objects that were read first, and of the others those that were used last: a walk through all objects of a
 * large file finds the first ones again, where a cache of the last ones alone would have lost each before it is needed.
 */
export function objectCache(): ObjectCache {
  const kept = new Map<number, Cached>()
  let recent = new Map<number, Cached>()
  let older = new Map<number, Cached>()
  let keptBytes = 0
  let recentBytes = 0

  function remember(number: number, cached: Cached): void {
    if (recentBytes + cached.bytes > MOST_RECENT) {
      older = recent
      recent = new Map()
      recentBytes = 0
    }
    recentBytes += cached.bytes
    recent.set(number, cached)
  }

  return {
    get(number) {
      const found = kept.get(number) ?? recent.get(number)
      if (found) return found
      const cached = older.get(number)
      if (cached) remember(number, cached)
      return cached
    },
    set(number, object, bytes) {
      const cached = { object, bytes }
      if (keptBytes + bytes > MOST_KEPT) return remember(number, cached)
      keptBytes += bytes
      kept.set(number, cached)
    },
  }
}
