import { globSync } from 'node:fs'
import { importsOf, resolved } from '#tests/architecture/sources.ts'
import { ROOT } from '#tests/runner/stages.ts'

/** Loads every route, so it reaches what they import, without an import that a reader of the source sees. */
const PAGES = 'tests/support/page-loaders.ts'

/** A test file and the mutated sources that it imports, itself (1) or through others: over how many imports. */
export type Reach = { test: string; distances: ReadonlyMap<string, number> }

/** The tests that reach one of the sources. */
export function reaching(sources: Iterable<string>): Reach[] {
  const wanted = new Set(sources)
  const known = new Map<string, readonly string[]>()
  const importedBy = (file: string) => {
    const found = known.get(file) ?? readImports(file)
    known.set(file, found)
    return found
  }
  return testFiles()
    .map((test) => {
      const reached = distancesFrom(test, importedBy)
      return { test, distances: new Map([...reached].filter(([file]) => wanted.has(file))) }
    })
    .filter(({ distances }) => distances.size > 0)
}

/** Tests that measure, or that read plans of statements: they load the sources and look at something else. */
const MEASURING = /(?:plans|plans-of-pages|queries-of-pages|page-time|lock-order)\.test\.ts$/

/** Unit tests, then those with a database. */
function testFiles(): string[] {
  const exclude = ['exhaustive', 'published', 'alone']
  return ['unit', 'integration'].flatMap((suite) =>
    globSync(`tests/${suite}/**/*.test.ts`, { cwd: ROOT })
      .filter((file) => !exclude.some((kind) => file.endsWith(`${kind}.test.ts`)))
      .filter((file) => !MEASURING.test(file))
      .toSorted(),
  )
}

function readImports(file: string): readonly string[] {
  if (!/\.tsx?$/.test(file)) return []
  const direct = importsOf(file)
    .filter(({ isType }) => !isType)
    .map(resolved)
    .filter((one) => one !== undefined)
  return file === PAGES
    ? [...direct, ...globSync('app/{routes,guards}/**/*.tsx', { cwd: ROOT })]
    : direct
}

function distancesFrom(
  test: string,
  importedBy: (file: string) => readonly string[],
): Map<string, number> {
  const distances = new Map([[test, 0]])
  // The loop goes on over what it adds to the map.
  for (const [file, distance] of distances)
    for (const one of importedBy(file)) if (!distances.has(one)) distances.set(one, distance + 1)
  return distances
}
