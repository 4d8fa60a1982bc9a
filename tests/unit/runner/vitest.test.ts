import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#tests/runner/stages.ts'
import { failuresIn, timesIn } from '#tests/runner/vitest.ts'

const name = path.join(ROOT, 'tests/unit/one.test.ts')
const ended = { name, status: 'failed' as const, startTime: 1, endTime: 1501 }
const aTest = (status: 'passed' | 'failed' | 'skipped', failureMessages: string[] = []) => ({
  ...{ title: 'is one', fullName: `sum is ${status}`, ancestorTitles: ['sum'], meta: {}, tags: [] },
  ...{ status, failureMessages, benchmarks: [] },
})

test('failures: a line for each test that did not pass, with the first line of its message', () => {
  const message = 'AssertionError: expected 1 to be 2\n    at tests/unit/one.test.ts:3'
  const assertionResults = [aTest('passed'), aTest('failed', [message]), aTest('skipped')]
  expect(failuresIn({ testResults: [{ ...ended, message: '', assertionResults }] })).toEqual([
    'tests/unit/one.test.ts sum is failed: AssertionError: expected 1 to be 2',
    'tests/unit/one.test.ts sum is skipped: ',
  ])
})

test('failures: a file that does not load is named with the cause', () => {
  const message = 'Cannot find module\nin line 1'
  expect(failuresIn({ testResults: [{ ...ended, message, assertionResults: [] }] })).toEqual([
    'tests/unit/one.test.ts: Cannot find module',
  ])
})

test('times: of each file, all of its tests together', () => {
  expect(timesIn({ testResults: [{ ...ended, message: '', assertionResults: [] }] })).toEqual([
    { file: 'tests/unit/one.test.ts', milliseconds: 1500 },
  ])
})
