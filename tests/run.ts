/*
 * `npm test`: every check there is, on a machine that has nothing but Node and npm. What is missing is
 * installed; what cannot be is said. The last line counts.
 */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { folderInMemory, installBrowser, installJudges } from './support/machine.ts'

const root = path.resolve(import.meta.dirname, '..')
const results = path.join(root, 'test-results')
const bin = (name: string) => path.join(root, 'node_modules/.bin', name)

type Count = { name: string; passed: number; failed: number; toldTwice?: number }

/**
 * How many of the stories may fail once and pass when they are told again: on a busy machine one of hundreds
 * is late. They are named and counted; one more fails the run.
 */
const MOST_TOLD_TWICE = 3

const counts: Count[] = []
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

await installJudges()
writeIntoMemory()
await check('types of the routes', bin('react-router'), ['typegen'])
await Promise.all([
  check('format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']),
  check('types', bin('tsc'), ['--noEmit', '-p', '.']),
  vitest(),
])
if (await check('build', process.execPath, ['server/run.mjs', 'build'])) await playwright()

const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
console.log('')
for (const count of counts)
  console.log(
    `${count.failed ? '✗' : '✓'} ${count.name}: ${count.passed} passed, ${count.failed} failed` +
      (count.toldTwice ? ` (${count.toldTwice} told twice, named above)` : ''),
  )
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** What the tests write, they write into memory, where this machine has room for it. */
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

async function check(name: string, program: string, args: string[]): Promise<boolean> {
  const isGood = (await run(program, args)) === 0
  counts.push({ name, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 })
  return isGood
}

async function vitest(): Promise<void> {
  const report = path.join(results, 'vitest.json')
  const code = await run(bin('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  if (!existsSync(report))
    return void counts.push({ name: 'unit, integration', passed: 0, failed: 1 })
  const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'))
  // Whatever neither passed nor failed was skipped, and a skipped test is a failed promise.
  const failed = Math.max(numTotalTests - numPassedTests, numFailedTests, code === 0 ? 0 : 1)
  counts.push({ name: 'unit, integration, architecture', passed: numPassedTests, failed })
}

async function playwright(): Promise<void> {
  const browser = await installBrowser()
  const report = path.join(results, 'playwright.json')
  const code = await run(bin('playwright'), ['test', '--reporter=line,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(browser && { CHROMIUM_PATH: browser }),
  })
  if (!existsSync(report)) return void counts.push({ name: 'pages', passed: 0, failed: 1 })
  const { stats } = JSON.parse(readFileSync(report, 'utf8'))
  const toldTwice = stats.flaky
  const isLate = toldTwice <= MOST_TOLD_TWICE
  const failed = Math.max(
    stats.unexpected + stats.skipped + (isLate ? 0 : toldTwice),
    code === 0 ? 0 : 1,
  )
  counts.push({
    name: 'pages',
    passed: stats.expected + (isLate ? toldTwice : 0),
    failed,
    toldTwice,
  })
}

function run(
  program: string,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<number> {
  console.log(`\n— ${path.basename(program)} ${args.join(' ')}`)
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
