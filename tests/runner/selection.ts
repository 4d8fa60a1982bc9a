import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The parts of `npm test`, as they are named on its command line. */
export const SUITES = [
  'unit',
  'exhaustive',
  'integration',
  'architecture',
  'security',
  'oracle',
  'published',
  'e2e',
] as const
export type Suite = (typeof SUITES)[number]

/** `spec` files need the built pages and a running server: Playwright runs them, vitest the others. */
export type TestFile = { file: string; suite: Suite; kind: 'test' | 'spec' }

export type Selection = {
  files: readonly TestFile[]
  /** Arguments that no test file matches. */
  unmatched: readonly string[]
}

/** Every test file of the project, by its path from the root. */
export function listTestFiles(root: string): TestFile[] {
  return readdirSync(path.join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('tests', file.replaceAll(path.sep, '/')))
    .filter((file) => TEST.test(file))
    .map((file) => ({ file, suite: suiteOf(file), kind: kindOf(file) }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

const TEST = /\.(?:test|spec)\.ts$/

const kindOf = (file: string): TestFile['kind'] => (file.endsWith('.spec.ts') ? 'spec' : 'test')

function suiteOf(file: string): Suite {
  if (file.endsWith('published.test.ts')) return 'published'
  if (file.endsWith('.exhaustive.test.ts')) return 'exhaustive'
  if (file === 'tests/architecture.test.ts') return 'architecture'
  const folder = file.split('/')[1]
  return SUITES.find((suite) => suite === folder) ?? 'unit'
}

/**
 * The files that the arguments name, each once; all files without arguments. An argument is the name of a suite, a
 * file or folder, a glob, or part of a path.
 *
 * @param folders base folders of relative paths: the folder of the caller, then the root
 */
export function selectTests(
  files: readonly TestFile[],
  args: readonly string[],
  folders: { root: string; working: string },
): Selection {
  if (args.length === 0) return { files, unmatched: [] }
  const matched = args.map((arg) => files.filter(matcherOf(arg, files, folders)))
  const chosen = new Set(matched.flat())
  return {
    files: files.filter((file) => chosen.has(file)),
    unmatched: args.filter((_, index) => matched[index]?.length === 0),
  }
}

type Matcher = (file: TestFile) => boolean

function matcherOf(
  arg: string,
  files: readonly TestFile[],
  { root, working }: { root: string; working: string },
): Matcher {
  if (SUITES.some((suite) => suite === arg)) return ({ suite }) => suite === arg
  for (const folder of [working, root]) {
    const matcher = placeMatcher(path.resolve(folder, arg), root)
    if (matcher && files.some(matcher)) return matcher
  }
  const pattern = arg.replace(/^\.\//, '')
  if (/[*?[{]/.test(pattern))
    return ({ file }) =>
      path.matchesGlob(file, pattern) || path.matchesGlob(file, path.posix.join('**', pattern))
  return ({ file }) => file.toLowerCase().includes(pattern.toLowerCase())
}

/** Undefined if there is no such file. */
function placeMatcher(place: string, root: string): Matcher | undefined {
  if (!existsSync(place)) return undefined
  const relative = path.relative(root, place).replaceAll(path.sep, '/')
  if (!statSync(place).isDirectory()) return ({ file }) => file === relative
  return ({ file }) => relative === '' || file.startsWith(`${relative}/`)
}
