import { expect, test } from 'vitest'
import { lineOf, runAside, type Stage, summaryOf, timed, totalOf } from '#tests/runner/stages.ts'

test('summary: has a line a stage with its time, and counts in its last line', () => {
  const stages: Stage[] = [
    { name: 'build', milliseconds: 31_400, passed: 1, failed: 0 },
    { name: 'pages', milliseconds: 754_000, passed: 690, failed: 2 },
    { name: 'traces of what failed', milliseconds: 9_600 },
  ]
  expect(summaryOf(stages, 795_000).split('\n')).toEqual([
    '✓ build                    0:31   1 passed, 0 failed',
    '✗ pages                   12:34   690 passed, 2 failed',
    '✓ traces of what failed    0:10',
    '  whole run               13:15',
    '691 passed, 2 failed',
  ])
})

test('summary: names the tests that failed before the stages', () => {
  const failures = Array.from({ length: 21 }, (_, index) => `tests/unit/one.test.ts test ${index}`)
  const stages: Stage[] = [{ name: 'pages', milliseconds: 0, passed: 0, failed: 21, failures }]
  const lines = summaryOf(stages, 0).split('\n')
  expect(lines.slice(0, 20)).toEqual(failures.slice(0, 20).map((failure) => `✗ ${failure}`))
  expect(lines[20]).toContain('pages')
})

test('summary: names the ten files that took longest, the slowest first', () => {
  const files = Array.from({ length: 11 }, (_, index) => ({
    file: `tests/unit/${index}.test.ts`,
    milliseconds: index * 1000,
  }))
  const stages: Stage[] = [{ name: 'pages', milliseconds: 0, passed: 11, failed: 0, files }]
  const lines = summaryOf(stages, 0).split('\n')
  expect(lines.slice(0, 2)).toEqual([
    '    0:10  tests/unit/10.test.ts',
    '    0:09  tests/unit/9.test.ts',
  ])
  expect(lines[9]).toBe('    0:01  tests/unit/1.test.ts')
  expect(lines[10]).toContain('pages')
})

test('timed: writes the stage down and hands its outcome on', async () => {
  const stages: Stage[] = []
  const outcome = await timed(stages, 'lint', async () => ({ passed: 0, failed: 1, more: 'told' }))
  expect(outcome).toMatchObject({ more: 'told' })
  expect(stages).toEqual([
    {
      name: 'lint',
      milliseconds: expect.any(Number),
      passed: 0,
      failed: 1,
      failures: [],
      files: [],
    },
  ])
  expect(totalOf(stages)).toEqual({ passed: 0, failed: 1 })
})

test('aside: a program that cannot be started has failed', async () => {
  expect((await runAside({ program: '/no/such/program', args: [] })).status).toBe(1)
  const args = ['-e', 'process.exit(3)']
  expect((await runAside({ program: process.execPath, args })).status).toBe(3)
})

test('line of a test that failed: its message on one line, cut', () => {
  const message = `expect(took)\n\nExpected: < 2000\nReceived:   2041\n${'x'.repeat(300)}`
  const line = lineOf('crowd', message)
  expect(line).toContain('crowd: expect(took) Expected: < 2000 Received: 2041 xxx')
  expect(line).toHaveLength('crowd: '.length + 200)
})
