import { expect, test } from 'vitest'
import { sizeText } from '#app/ui/text/size-text.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [37_900, '37 KB'],
  [12_000, '12 KB'],
  [1024 * 1024, '1 MB'],
  [4.5 * 1024 * 1024, '4.5 MB'],
])('size text: %i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
