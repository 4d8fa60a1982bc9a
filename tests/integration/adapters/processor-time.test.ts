import { expect, test } from 'vitest'
import { processorTimeOf, timeSince } from '#server/adapters/pdf-work/processor-time.ts'

const UNKNOWN = Number.POSITIVE_INFINITY

test('processor time: unknown for a process that is not there', () => {
  expect(processorTimeOf(undefined)).toBe(UNKNOWN)
  expect(processorTimeOf(process.pid)).toBeGreaterThan(0)
})

test.each([
  [100, 250, 150],
  [undefined, 250, 250],
  [UNKNOWN, UNKNOWN, UNKNOWN],
  [UNKNOWN, 250, UNKNOWN],
  [100, UNKNOWN, UNKNOWN],
])('processor time between %s and %s: %s', (before, now, time) => {
  expect(timeSince(before, now)).toBe(time)
})
