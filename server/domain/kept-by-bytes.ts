/** A cache that evicts the least recently used values above a number of bytes. */
export type KeptByBytes = {
  /** Marks the value as used. */
  find(key: string): Uint8Array | undefined
  /** Does not keep a value that is larger than a quarter of all: it would push out too many others. */
  keep(key: string, value: Uint8Array): void
}

/** @param most of all values together, in bytes */
export function createKeptByBytes(most: number): KeptByBytes {
  // A Map keeps the order of insertion: the first key is the least recently used one.
  const values = new Map<string, Uint8Array>()
  let total = 0

  function forget(key: string): void {
    total -= values.get(key)?.length ?? 0
    values.delete(key)
  }

  return {
    find(key) {
      const value = values.get(key)
      if (!value) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    keep(key, value) {
      forget(key)
      if (value.length > most / 4) return
      values.set(key, value)
      total += value.length
      for (const oldest of values.keys()) {
        if (total <= most) break
        forget(oldest)
      }
    },
  }
}
