import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { bin, type Outcome, RESULTS, run } from './stages.ts'

/** @param args the files or projects; all of them without */
export async function runVitest(args: readonly string[] = []): Promise<Outcome> {
  const report = path.join(RESULTS, 'vitest.json')
  const status = await run({
    program: bin('vitest'),
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
  })
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'))
  // A test that neither passed nor failed was skipped, and a skipped test is a failed promise.
  const failed = Math.max(numTotalTests - numPassedTests, numFailedTests, status === 0 ? 0 : 1)
  return { passed: numPassedTests, failed }
}
