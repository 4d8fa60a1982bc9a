import { expect, test } from 'vitest'
import { worstLevel } from '#server/domain/verification/modification.ts'
import { MODIFICATION_LEVELS } from '#server/domain/verification/report.ts'

test('changes after a signature: one level is worse than those before it', () => {
  const order = ['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS', 'OTHER'] as const
  expect(MODIFICATION_LEVELS).toEqual(order)
  expect(worstLevel([])).toBe('NONE')
  for (const [at, level] of order.entries()) {
    const others = order.slice(0, at + 1).map((one) => ({ level: one }))
    expect(worstLevel(others.toReversed())).toBe(level)
    expect(worstLevel(others)).toBe(level)
  }
})
