import path from 'node:path'
import type { Reach } from './reach.ts'

/** So many tests of a source run before all of its mutants that still live are counted again. */
const FEWEST = 3

/** For each source the tests that reach it, nearest first. */
export type Order = ReadonlyMap<string, readonly string[]>

/**
 * The nearest test of a source has its name, or more words of it than others. Then come unit tests, which are quicker, and
 * among them the one that imports the source over the fewest files. Of two that are as near, the one that reaches fewer
 * sources within that distance is about less.
 */
export function nearestFirst(tests: readonly Reach[]): Order {
  const bySource = new Map<string, Near[]>()
  for (const { test, distances } of tests)
    for (const [source, distance] of distances) {
      const sources = [...distances.values()].filter((other) => other <= distance).length
      bySource.set(source, [...(bySource.get(source) ?? []), { test, distance, sources }])
    }
  const ordered = [...bySource].map(([source, found]): [string, string[]] => {
    const ranked = found.map((near) => ({ ...near, rank: rankOf(near, source) }))
    const nearest = ranked.toSorted((a, b) => a.rank - b.rank || a.sources - b.sources)
    return [source, nearest.map(({ test }) => test)]
  })
  return new Map(ordered)
}

/** A test of a source: over how many imports, and how many sources it reaches within that distance. */
type Near = { test: string; distance: number; sources: number }

/** More than a source has tests. */
const LAST = 100_000

/** More than any distance. */
const FARTHEST = 1_000

/** The distance, farther than any for a test that is no unit test, and nearer than any for each word in common. */
function rankOf({ test, distance }: Near, source: string): number {
  const [ofTest, ofSource] = [path.basename(test, '.test.ts'), path.parse(source).name]
  if (ofTest === ofSource) return Number.NEGATIVE_INFINITY
  const shared = wordsOf(ofTest).intersection(wordsOf(ofSource)).size
  return distance + (test.startsWith('tests/unit/') ? 0 : FARTHEST) - 2 * shared * FARTHEST
}

/** `signature` of `signatures`. */
const wordsOf = (name: string): Set<string> =>
  new Set(name.split(/\W/).map((word) => word.replace(/s$/, '')))

/**
 * The tests that run next, each with the sources for which it does: of each source the nearest that are left, as many as
 * have run before. What is nearest to any source comes first, and what takes long comes last: otherwise the tests of the
 * first folders, or of sources that few tests reach, would take all of the time.
 */
export function nextTests(
  order: Order,
  sources: Iterable<string>,
  isDone: (test: string, source: string) => boolean,
  isSlow: (test: string, source: string) => boolean,
): { test: string; sources: readonly string[] }[] {
  const pairs = [...sources].flatMap((source) => {
    const tests = order.get(source) ?? []
    const left = tests
      .map((test, rank) => ({ test, source, place: rank + (isSlow(test, source) ? LAST : 0) }))
      .filter(({ test }) => !isDone(test, source))
      .toSorted((a, b) => a.place - b.place)
    const done = tests.length - left.length
    return left.slice(0, Math.max(FEWEST, done))
  })
  const byTest = Map.groupBy(
    pairs.toSorted((a, b) => a.place - b.place),
    ({ test }) => test,
  )
  return [...byTest].map(([test, found]) => ({ test, sources: found.map(({ source }) => source) }))
}
