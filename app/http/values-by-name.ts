/** Groups values by name in linear time; a repeated name gets a list. */
export function valuesByName<T>(pairs: Iterable<readonly [name: string, value: T]>) {
  const lists = new Map<string, T[]>()
  for (const [name, value] of pairs) {
    const earlier = lists.get(name)
    if (earlier) earlier.push(value)
    else lists.set(name, [value])
  }
  return [...lists].map(([name, [first, ...more]]): [string, T | T[]] => [
    name,
    more.length === 0 ? (first as T) : [first as T, ...more],
  ])
}
