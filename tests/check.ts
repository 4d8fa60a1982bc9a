/*
 * `npm run check`: the checks between two commits: types, format and lint, the import table, and the unit tests
 * that a change touches. `npm test` checks everything.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { changesOf, testsNaming } from './runner/changes.ts'
import { parseCommandLine } from './runner/command-line.ts'
import { listTestFiles } from './runner/selection.ts'
import {
  asCheck,
  bin,
  RESULTS,
  ROOT,
  runAside,
  type Stage,
  summaryOf,
  timed,
  totalOf,
} from './runner/stages.ts'
import { runVitest } from './runner/vitest.ts'

/** Type checks are incremental: only changes since the last run are checked. */
const TYPES = [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  'node_modules/.cache/check.tsbuildinfo',
]

const USAGE = `npm run check   checks types, format, lint and imports, and runs the unit tests that import a changed file

Changed are: on a branch, files since it left main; on main, files that are not pushed; without these, those of the
last commit. It takes no options.`

parseCommandLine(USAGE, {})
const start = performance.now()
const stages: Stage[] = []
const tells: (() => void)[] = []
mkdirSync(RESULTS, { recursive: true })
const { tests, exhaustive } = touchedTests()

await aside('types of the routes', 'react-router', ['typegen'])
await Promise.all([
  aside('format and lint', 'biome', ['ci', '--error-on-warnings', '.']),
  aside('types', 'tsc', [...TYPES, '-p', '.']),
  timed(stages, 'unit tests, architecture', () => runVitest(['tests/architecture', ...tests])),
])
for (const tell of tells) tell()
if (exhaustive.length > 0) console.log(`\nLeft to npm test: ${exhaustive.join(', ')}`)
console.log(`\n${summaryOf(stages, performance.now() - start)}`)
process.exit(totalOf(stages).failed === 0 ? 0 : 1)

/** Prints the output of the program only if it failed. */
function aside(name: string, program: string, args: string[]) {
  return timed(stages, name, async () => {
    const { status, tell } = await runAside({ program: bin(program), args })
    if (status !== 0) tells.push(tell)
    return asCheck(status)
  })
}

/** The unit tests that import or name a changed file; those that take minutes separately. */
function touchedTests(): { tests: string[]; exhaustive: string[] } {
  const { since, description, files } = changesOf()
  const all = listTestFiles(ROOT).filter(({ suite }) => suite === 'unit' || suite === 'exhaustive')
  const importing = new Set(importersOf(since))
  const naming = new Set(
    testsNaming(
      files,
      all.map(({ file }) => file),
    ),
  )
  const touched = all.filter(({ file }) => importing.has(file) || naming.has(file))
  const ofSuite = (suite: string) =>
    touched.filter((one) => one.suite === suite).map(({ file }) => file)
  const [tests, exhaustive] = [ofSuite('unit'), ofSuite('exhaustive')]
  const units = all.filter(({ suite }) => suite === 'unit').length
  console.log(
    `${files.length} changed ${files.length === 1 ? 'file' : 'files'} ${description} (${since.slice(0, 10)}): ${tests.length} of ${units} files of unit tests`,
  )
  return { tests, exhaustive }
}

/** The test files that import a changed module, however far away, by their paths from the root. */
function importersOf(since: string): string[] {
  const { status, stdout, stderr } = spawnSync(
    bin('vitest'),
    [
      'list',
      ...['unit', 'alone', 'exhaustive'].map((name) => `--project=${name}`),
      ...['--changed', since, '--filesOnly', '--json'],
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20 },
  )
  if (status !== 0) throw new Error(`vitest list failed:\n${stdout}${stderr}`)
  const listed: { file: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return listed.map(({ file }) => path.relative(ROOT, file).replaceAll(path.sep, '/'))
}
