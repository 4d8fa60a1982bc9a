import { expect, test } from 'vitest'
import { isRevocationDue } from '#server/domain/revocation/revocation-due.ts'
import { after, before, hours, milliseconds } from '#server/domain/time.ts'
import { MORNING as now } from '#tests/support/builders.ts'

const ago = (count: number) => before(now, hours(count))

test.each([
  ['never asked', undefined, undefined, true],
  ['answered 23 hours ago', ago(23), ago(23), false],
  ['answered 24 hours ago', ago(24), ago(24), true],
  ['asked an hour ago in vain', ago(1), undefined, true],
  ['asked in vain within the hour', before(now, milliseconds(3_599_999)), undefined, false],
  ['asked an hour ago in vain, with an older answer', ago(1), ago(30), true],
  ['asked by a clock that was ahead', after(now, hours(1)), after(now, hours(1)), true],
  ['answered by a clock that was ahead', ago(2), after(now, hours(1)), true],
])('issuer that was %s: is due or not', (_, askedAt, answeredAt, isDue) => {
  expect(isRevocationDue({ askedAt, answeredAt }, now)).toBe(isDue)
})
