import { expect, test } from 'vitest'
import {
  type ZipFile,
  zipLength,
  zipped,
} from '#server/domain/verification/evidence-package/zip.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

const fileOf = (name: string, size: number): ZipFile => ({
  ...{ name, size, crc32: 0 },
  content: () => [new Uint8Array(size)],
})

test('archive: is as long as was said', async () => {
  const files = [fileOf('firmado.pdf', 300), fileOf('firmas/01.p7s', 0), fileOf('ñ', 5)]
  let length = 0
  for await (const chunk of zipped(files, TEST_NOW)) length += chunk.length
  expect(zipLength(files)).toBe(length)
})

test('archive: its lengths have four bytes, so that a longer one is refused', () => {
  const rest = zipLength([fileOf('a', 0)])
  const longest = 0xffff_ffff - rest
  expect(zipLength([fileOf('a', longest)])).toBe(0xffff_ffff)
  expect(() => zipLength([fileOf('a', longest + 1)])).toThrow(RangeError)
})
