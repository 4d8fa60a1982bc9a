/*
 * `npm test`: every check, on a machine with only Node and npm; `npm test -- PATH|PATTERN` runs a part. The last
 * lines give the time of each stage, and the very last one the totals.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { exitWith, parseCommandLine } from './runner/command-line.ts'
import { runPlaywright, traceFailures } from './runner/playwright.ts'
import { clearResults } from './runner/results.ts'
import { listTestFiles, type Selection, SUITES, selectTests } from './runner/selection.ts'
import { judgesNamedBy } from './runner/sources.ts'
import {
  asCheck,
  bin,
  RESULTS,
  ROOT,
  run,
  runAside,
  type Stage,
  summaryOf,
  timed,
  totalOf,
} from './runner/stages.ts'
import { runVitest } from './runner/vitest.ts'
import { prepareBrowser } from './support/browser.ts'
import { folderInMemory, JUDGES, type Judge, prepareJudges } from './support/machine.ts'

const USAGE = `npm test                      every check there is
npm test -- PATH|PATTERN …    the tests that match: a file, a folder, a glob, a part of a path,
                              or a suite (${SUITES.join(', ')})
npm test -- --no-install      installs nothing with apt-get; fails when a program is missing`

const start = performance.now()
const stages: Stage[] = []
const { selection, mayInstall } = readCommandLine()
const isWhole = selection === undefined
const files = (kind: 'test' | 'spec') =>
  selection?.files.filter((one) => one.kind === kind).map(({ file }) => file)
const hasTests = files('test')?.length !== 0
const hasSpecs = files('spec')?.length !== 0

clearResults(RESULTS)
await prepareMachine()
writeIntoMemory()
if (isWhole)
  await timed(stages, 'types of the routes', async () =>
    asCheck(await run({ program: bin('react-router'), args: ['typegen'] })),
  )
const [isBuilt] = await Promise.all([besides(), hasTests && vitest()])
if (isBuilt) await pages()
finish()

function readCommandLine(): { selection: Selection | undefined; mayInstall: boolean } {
  const { values, positionals } = parseCommandLine(USAGE, {
    allowPositionals: true,
    options: { 'no-install': { type: 'boolean' } },
  })
  const folders = { root: ROOT, working: process.env.INIT_CWD ?? ROOT }
  const selected = selectTests(listTestFiles(ROOT), positionals, folders)
  if (selected.unmatched.length > 0)
    exitWith(
      `No test matches ${selected.unmatched.map((one) => `“${one}”`).join(', ')}.\n\n${USAGE}`,
      2,
    )
  return {
    selection: positionals.length > 0 ? selected : undefined,
    mayInstall: !values['no-install'],
  }
}

/**
 * The programs that the tests need. A whole run without one of them ends here, before it takes its time; in a part
 * only the tests that need it fail.
 */
async function prepareMachine(): Promise<void> {
  const judges = isWhole
    ? (Object.keys(JUDGES) as Judge[])
    : judgesNamedBy(selection.files.map(({ file }) => file))
  await timed(stages, 'programs of this machine', async () => {
    const missing = prepareJudges(judges, { mayInstall })
    if (missing === undefined) return undefined
    console.error(missing)
    return isWhole ? { passed: 0, failed: 1 } : undefined
  })
  if (totalOf(stages).failed > 0) finish()
}

/** Tests write into memory if this machine has room for it. */
function writeIntoMemory(): void {
  const memory = folderInMemory()
  if (!memory) return
  const folder = mkdtempSync(path.join(memory, 'rubrica-tests-'))
  // PostgreSQL, which does not run as root, passes through.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(1))
}

async function vitest(): Promise<void> {
  const chosen = files('test')
  await timed(stages, 'tests without pages', () => runVitest(chosen))
}

/**
 * Runs format, lint, types and the build one after the other, while vitest leaves a processor free at its end.
 *
 * @returns whether there are pages to test
 */
async function besides(): Promise<boolean> {
  const tells: (() => void)[] = []
  const aside = (name: string, program: string, args: string[]) =>
    timed(stages, name, async () => {
      const { status, tell } = await runAside({ program, args })
      tells.push(tell)
      return asCheck(status)
    })
  if (isWhole) {
    await aside('format and lint', bin('biome'), ['ci', '--error-on-warnings', '.'])
    await aside('types', bin('tsc'), ['--noEmit', '-p', '.'])
  }
  const built = hasSpecs
    ? await aside('build', process.execPath, ['server/run.mjs', 'build'])
    : undefined
  for (const tell of tells) tell()
  return built !== undefined && built.failed === 0
}

async function pages(): Promise<void> {
  const specs = files('spec')
  const needsBrowser = specs?.every((file) => file.endsWith('.http.spec.ts')) !== true
  const environment = needsBrowser ? browserOrFinish() : {}
  const outcome = await timed(stages, 'pages', () => runPlaywright(specs, environment))
  if (outcome.failedTests.length === 0) return
  await timed(stages, 'traces of what failed', async () => {
    await traceFailures(outcome.failedTests, environment)
    return undefined
  })
}

function browserOrFinish(): NodeJS.ProcessEnv {
  const browser = prepareBrowser({ mayInstall })
  if (browser) return browser.path ? { CHROMIUM_PATH: browser.path } : {}
  console.error('No Chromium was found. Install one with: apt-get install chromium-headless-shell')
  stages.push({ name: 'pages', milliseconds: 0, passed: 0, failed: 1 })
  return finish()
}

function finish(): never {
  const { failed } = totalOf(stages)
  console.log(`\n${summaryOf(stages, performance.now() - start)}`)
  process.exit(failed === 0 ? 0 : 1)
}
