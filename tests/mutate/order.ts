import type { Reach } from './reach.ts'

/** So many tests of a source run before all of its mutants that still live are counted again. */
const FEWEST = 3

/** For each source the tests that reach it, nearest first. */
export type Order = ReadonlyMap<string, readonly string[]>

/**
 * The nearest test of a source imports it over the fewest files. Of two that are as near, the one that is about less comes
 * first: it reaches fewer sources within that distance.
 */
export function nearestFirst(tests: readonly Reach[]): Order {
  const bySource = new Map<string, { test: string; distance: number; sources: number }[]>()
  for (const { test, distances } of tests)
    for (const [source, distance] of distances) {
      const sources = [...distances.values()].filter((other) => other <= distance).length
      bySource.set(source, [...(bySource.get(source) ?? []), { test, distance, sources }])
    }
  const ordered = [...bySource].map(([source, found]): [string, string[]] => {
    const nearest = found.toSorted((a, b) => a.distance - b.distance || a.sources - b.sources)
    return [source, nearest.map(({ test }) => test)]
  })
  return new Map(ordered)
}

/**
 * The tests that run next, each with the sources for which it does: of each source the nearest that are left, as many as
 * have run before. The nearest of all come first.
 */
export function nextTests(
  order: Order,
  sources: Iterable<string>,
  isDone: (test: string, source: string) => boolean,
): { test: string; sources: readonly string[] }[] {
  const pairs = [...sources].flatMap((source) => {
    const tests = order.get(source) ?? []
    const left = tests.filter((test) => !isDone(test, source))
    const count = Math.max(FEWEST, tests.length - left.length)
    return left.slice(0, count).map((test, place) => ({ test, source, place }))
  })
  const byTest = Map.groupBy(
    pairs.toSorted((a, b) => a.place - b.place),
    ({ test }) => test,
  )
  return [...byTest].map(([test, found]) => ({ test, sources: found.map(({ source }) => source) }))
}
