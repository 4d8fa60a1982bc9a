import path from 'node:path'
import type { JSONReport, JSONReportTest } from '@playwright/test/reporter'
import { expect, test } from 'vitest'
import { failuresIn, timesIn } from '#tests/runner/playwright.ts'
import { ROOT } from '#tests/runner/stages.ts'

const errorOf = (status: JSONReportTest['status']) =>
  status === 'unexpected'
    ? { message: 'Error: \u001b[2mexpect(\u001b[22mtook)\n\nExpected: < 2000\nReceived:   2041' }
    : undefined

const outcome = (projectName: string, status: JSONReportTest['status']) =>
  ({
    projectName,
    status,
    results: [{ duration: 1000, error: errorOf(status) }],
  }) as unknown as JSONReportTest

test('report: every test that did not pass, in the browser in which it did not, with its groups, and the time of its files', () => {
  const file = 'sign-in/step-up.spec.ts'
  const place = { file, column: 1, tags: [], ok: false, id: '' }
  const report = {
    config: { rootDir: path.join(ROOT, 'tests/e2e') },
    suites: [
      {
        ...place,
        title: file,
        line: 0,
        specs: [
          {
            ...place,
            title: 'asks again',
            line: 12,
            tests: [outcome('with-scripts', 'expected'), outcome('without-scripts', 'unexpected')],
          },
        ],
        suites: [
          {
            ...place,
            title: 'after an hour',
            line: 40,
            specs: [
              {
                ...place,
                title: 'leads back',
                line: 41,
                tests: [outcome('with-scripts', 'flaky')],
              },
              { ...place, title: 'ends', line: 50, tests: [outcome('with-scripts', 'skipped')] },
            ],
          },
        ],
      },
    ],
  } as unknown as JSONReport
  expect(failuresIn(report)).toEqual([
    {
      file: 'tests/e2e/sign-in/step-up.spec.ts',
      line: 12,
      title: 'asks again',
      project: 'without-scripts',
      message: 'Error: expect(took)\n\nExpected: < 2000\nReceived:   2041',
    },
    {
      file: 'tests/e2e/sign-in/step-up.spec.ts',
      line: 41,
      title: 'after an hour › leads back',
      project: 'with-scripts',
      message: '',
    },
    {
      file: 'tests/e2e/sign-in/step-up.spec.ts',
      line: 50,
      title: 'after an hour › ends',
      project: 'with-scripts',
      message: '',
    },
  ])
  expect(timesIn(report)).toEqual([
    { file: 'tests/e2e/sign-in/step-up.spec.ts', milliseconds: 4000 },
  ])
})
