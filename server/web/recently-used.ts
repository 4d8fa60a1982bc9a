/** What was made, by what it was made of. */
export type RecentlyUsed<T> = {
  find(key: string): T | undefined
  keep(key: string, value: T): T
}

/** @param most so many are kept; what was not used for longest goes first */
export function createRecentlyUsed<T>(most: number): RecentlyUsed<T> {
  const values = new Map<string, T>()
  const keep = (key: string, value: T) => {
    // Whatever was used last stands last and stays longest.
    values.delete(key)
    values.set(key, value)
    const [oldest] = values.keys()
    if (values.size > most && oldest !== undefined) values.delete(oldest)
    return value
  }
  const find = (key: string) => {
    const value = values.get(key)
    return value === undefined ? undefined : keep(key, value)
  }
  return { find, keep }
}
