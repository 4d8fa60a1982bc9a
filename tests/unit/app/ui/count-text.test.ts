import { expect, test } from 'vitest'
import { countText } from '#app/ui/text/count-text.ts'

test.each([
  [0, '0'],
  [99, '99'],
  [100, '99+'],
])('count: %i is shown as %s', (count, text) => {
  expect(countText(count)).toBe(text)
})
