import { expect, test } from 'vitest'
import { crosses } from '#server/domain/verification/looks/geometry.ts'

const BOX = { left: 10, bottom: 10, right: 20, top: 20 }

test.each([
  ['through the box', [0, 0], [30, 30], true],
  ['that ends in it', [0, 15], [12, 15], true],
  ['inside it', [12, 12], [18, 14], true],
  ['along its edge', [10, 0], [10, 30], true],
  ['that ends before it', [0, 0], [9, 9], false],
  ['past its corner, though its own box holds the box', [0, 25], [40, 15.1], false],
  ['beside it', [25, 0], [25, 30], false],
] as const)('crosses: a line %s', (_name, start, end, isCrossed) => {
  expect(crosses([start, end], BOX)).toBe(isCrossed)
  expect(crosses([end, start], BOX)).toBe(isCrossed)
})
