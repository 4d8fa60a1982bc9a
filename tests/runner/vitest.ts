import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonTestResults } from 'vitest/node'
import { bin, type FileTime, lineOf, type Outcome, RESULTS, ROOT, run } from './stages.ts'

/** @param args the files or projects; all of them without */
export async function runVitest(args: readonly string[] = []): Promise<Outcome> {
  const report = path.join(RESULTS, 'vitest.json')
  const status = await run({
    program: bin('vitest'),
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
  })
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const read: JsonTestResults = JSON.parse(readFileSync(report, 'utf8'))
  const { numPassedTests, numFailedTests, numTotalTests } = read
  // A test that neither passed nor failed was skipped, and a skipped test is a failed promise.
  const failed = Math.max(numTotalTests - numPassedTests, numFailedTests, status === 0 ? 0 : 1)
  return { passed: numPassedTests, failed, failures: failuresIn(read), files: timesIn(read) }
}

export const timesIn = ({ testResults }: Pick<JsonTestResults, 'testResults'>): FileTime[] =>
  testResults.map(({ name, startTime, endTime }) => ({
    file: pathOf(name),
    milliseconds: endTime - startTime,
  }))

const pathOf = (name: string) => path.relative(ROOT, name).replaceAll(path.sep, '/')

/** A line for each test that failed and for each file that did not load. */
export function failuresIn({ testResults }: Pick<JsonTestResults, 'testResults'>): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = pathOf(name)
    const tests = assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, failureMessages }) =>
        lineOf(`${file} ${fullName}`, firstLine(failureMessages?.[0])),
      )
    return message && tests.length === 0 ? [lineOf(file, firstLine(message))] : tests
  })
}

/** The places in the code follow. */
const firstLine = (message = '') => message.split('\n', 1)[0]
