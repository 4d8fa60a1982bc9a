import { expect, test } from 'vitest'
import { dayNumberOf, FIGURES, figureOf } from '#server/domain/audit/figure.ts'
import { after, days, EPOCH, milliseconds } from '#server/domain/time.ts'

test.each(Object.entries(FIGURES))('figure %s: counts %s where it succeeded', (figure, action) => {
  expect(figureOf({ action, result: 'success' })).toBe(figure)
  expect(figureOf({ action, result: 'refused' })).toBeUndefined()
})

test('event of another kind: is no figure', () => {
  expect(figureOf({ action: 'document.cancelled', result: 'success' })).toBeUndefined()
})

test('day number: changes at midnight in UTC', () => {
  expect(dayNumberOf(EPOCH)).toBe(0)
  expect(dayNumberOf((after(EPOCH, days(3)) - milliseconds(1)) as typeof EPOCH)).toBe(2)
  expect(dayNumberOf(after(EPOCH, days(3)))).toBe(3)
})
