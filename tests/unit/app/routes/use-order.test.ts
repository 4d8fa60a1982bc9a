import { expect, test } from 'vitest'
import { placed } from '#app/routes/signing/new/use-order.ts'

test.each([
  ['c', 0, 'cab'],
  ['a', 1, 'bac'],
  ['a', 9, 'bca'],
  ['b', -3, 'bac'],
  ['b', 1, 'abc'],
] as const)('order: %s at place %s gives %s', (id, place, expected) => {
  expect(placed(['a', 'b', 'c'], id, place).join('')).toBe(expected)
})
