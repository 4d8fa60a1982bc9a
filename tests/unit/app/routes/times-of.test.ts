import { expect, test } from 'vitest'
import { timesOf } from '#app/routes/audit/times-of.ts'

test.each([
  ['refused', { count: 250 }, 250],
  ['refused', { count: 1 }, undefined],
  ['refused', {}, undefined],
  ['success', { count: 12 }, undefined],
] as const)(
  'an event with result %s and details %o stands for %s attempts',
  (result, details, expected) => {
    expect(timesOf({ result, details })).toBe(expected)
  },
)
