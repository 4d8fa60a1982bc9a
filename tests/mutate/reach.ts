import { globSync } from 'node:fs'
import { importsOf, resolved } from '#tests/architecture/sources.ts'
import { ROOT } from '#tests/runner/stages.ts'

/** Loads every route, so it reaches what they import, without an import that a reader of the source sees. */
const PAGES = 'tests/support/page-loaders.ts'

/** A test file and the mutated sources that it imports, itself or through others. */
export type Reach = { test: string; sources: readonly string[] }

/** The tests that reach one of the sources: the quick ones first, then those with a database. */
export function reaching(sources: readonly string[]): Reach[] {
  const wanted = new Set(sources)
  const known = new Map<string, readonly string[]>()
  const importedBy = (file: string) => {
    const found = known.get(file) ?? readImports(file)
    known.set(file, found)
    return found
  }
  return testFiles()
    .map((test) => {
      const reached = reachedFrom(test, importedBy)
      return { test, sources: [...wanted].filter((source) => reached.has(source)) }
    })
    .filter((one) => one.sources.length > 0)
}

function testFiles(): string[] {
  const exclude = ['exhaustive', 'published', 'alone']
  return ['unit', 'integration'].flatMap((suite) =>
    globSync(`tests/${suite}/**/*.test.ts`, { cwd: ROOT })
      .filter((file) => !exclude.some((kind) => file.endsWith(`${kind}.test.ts`)))
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

function reachedFrom(test: string, importedBy: (file: string) => readonly string[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [test]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    waiting.push(...importedBy(file))
  }
  return reached
}
