/** A cache that evicts the least recently used value above its capacity. */
export type LeastRecentlyUsed<T> = {
  /** Marks the value as used. */
  find(key: string): T | undefined
  /** Returns `value`. */
  keep(key: string, value: T): T
  forget(key: string): void
}

/** @param capacity maximum number of values */
export function createLeastRecentlyUsed<T>(capacity: number): LeastRecentlyUsed<T> {
  // A Map keeps the order of insertion: the first key is the least recently used one.
  const values = new Map<string, T>()
  const keep = (key: string, value: T) => {
    values.delete(key)
    values.set(key, value)
    const [oldest] = values.keys()
    if (values.size > capacity && oldest !== undefined) values.delete(oldest)
    return value
  }
  const find = (key: string) => {
    const value = values.get(key)
    return value === undefined ? undefined : keep(key, value)
  }
  return { find, keep, forget: (key) => void values.delete(key) }
}
