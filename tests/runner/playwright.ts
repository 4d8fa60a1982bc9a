import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter'
import { bin, type FileTime, lineOf, type Outcome, RESULTS, ROOT, run } from './stages.ts'

/** A test as Playwright identifies it: its place and its browser. */
export type FailedTest = {
  file: string
  line: number
  title: string
  project: string
  /** What was expected, and what was received. */
  message: string
}

export type PageOutcome = Outcome & { failedTests: readonly FailedTest[] }

/** At most this many failed tests run again; if a whole page is broken, their traces are alike. */
const MOST_TRACED = 20

/** @param files all of them when undefined */
export async function runPlaywright(
  files: readonly string[] | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<PageOutcome> {
  const report = path.join(RESULTS, 'playwright.json')
  const status = await run({
    program: bin('playwright'),
    args: ['test', '--reporter=line,json', ...(files ?? []).map(asPattern)],
    environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const read = readReport(report)
  if (!read) return { passed: 0, failed: 1, failedTests: [] }
  const { stats } = read
  // There are no retries, so nothing is flaky; should there ever be, that is a failure.
  const failed = Math.max(stats.unexpected + stats.skipped + stats.flaky, status === 0 ? 0 : 1)
  const failedTests = failuresIn(read)
  const failures = failedTests.map((failure) => lineOf(nameOf(failure), failure.message))
  return { passed: stats.expected, failed, failedTests, failures, files: timesIn(read) }
}

/**
 * Runs failed tests once more, each with a trace: recording all of them the first time would cost a third of the
 * whole run. The second run does not change the result; a test that passes now is reported as flaky.
 */
export async function traceFailures(
  failures: readonly FailedTest[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const traced = failures.slice(0, MOST_TRACED)
  const folder = path.join(RESULTS, 'traces')
  const report = path.join(RESULTS, 'traces.json')
  const places = new Set(traced.map(({ file, line }) => `${asPattern(file)}:${line}`))
  const projects = new Set(traced.map(({ project }) => `--project=${project}`))
  await run({
    program: bin('playwright'),
    args: [
      'test',
      '--reporter=line,json',
      '--trace=on',
      `--output=${folder}`,
      ...projects,
      ...places,
    ],
    environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const read = readReport(report)
  const again = new Set(read ? failuresIn(read).map(nameOf) : traced.map(nameOf))
  const lines = traced.map((failure) => {
    const isFlaky = !again.has(nameOf(failure))
    return `  ${nameOf(failure)}${isFlaky ? '\n    passed the second time: it is flaky, and still failed' : ''}`
  })
  const sum =
    traced.length < failures.length
      ? `${traced.length} of the ${failures.length} tests that failed`
      : 'The tests that failed'
  console.log(`\n${sum} ran once more for their traces (${path.relative(ROOT, folder)}):`)
  console.log(lines.join('\n'))
}

const nameOf = ({ project, file, line, title }: FailedTest) =>
  `[${project}] ${file}:${line} ${title}`

/** Playwright reads a regular expression. */
const asPattern = (file: string) => `${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`

function readReport(file: string): JSONReport | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** The tests of a report that neither passed nor were expected to fail, by their paths from the root. */
export function failuresIn({ config, suites }: JSONReport): FailedTest[] {
  return suites.flatMap((suite) => failuresOf(suite, [], config.rootDir))
}

/** The time of each file, in all browsers. */
export function timesIn({ config, suites }: JSONReport): FileTime[] {
  return suites.map((suite) => ({
    file: pathOf(suite.file, config.rootDir),
    milliseconds: millisecondsOf(suite),
  }))
}

function millisecondsOf({ specs, suites = [] }: JSONReportSuite): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((one) => one.results))
  const own = results.reduce((sum, { duration }) => sum + duration, 0)
  return suites.reduce((sum, suite) => sum + millisecondsOf(suite), own)
}

const pathOf = (file: string, rootDir: string) =>
  path.relative(ROOT, path.resolve(rootDir, file)).replaceAll(path.sep, '/')

/** Playwright colours its messages. */
const messageOf = (results: JSONReportTest['results']) =>
  stripVTControlCharacters(results.find(({ error }) => error)?.error?.message ?? '')

function failuresOf(suite: JSONReportSuite, above: string[], rootDir: string): FailedTest[] {
  // The outermost suite is the file itself.
  const titles = suite.title === suite.file ? above : [...above, suite.title]
  const own = suite.specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ projectName, results }) => ({
        file: pathOf(file, rootDir),
        line,
        title: [...titles, title].join(' › '),
        project: projectName,
        message: messageOf(results),
      })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((one) => failuresOf(one, titles, rootDir))]
}
