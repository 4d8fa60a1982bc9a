import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  backupCodeFrom,
  formatBackupCode,
  readBackupCode,
} from '#server/domain/identity/backup-code.ts'

test('twelve characters in three groups, none of them ambiguous', () => {
  const code = backupCodeFrom(new Uint8Array([0, 1, 9, 10, 17, 18, 19, 20, 21, 26, 27, 31]))
  expect(code).toBe('019AHJKMNTVZ')
  expect(formatBackupCode(code)).toBe('019A-HJKM-NTVZ')
  expect(() => backupCodeFrom(new Uint8Array(11))).toThrow(RangeError)
})

test('ten thousand codes are different, and use each character as often', () => {
  const codes = Array.from({ length: 10_000 }, () => backupCodeFrom(randomBytes(12)))
  expect(new Set(codes).size).toBe(10_000)
  const counts = new Map<string, number>()
  for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(32)
  const expected = (10_000 * 12) / 32
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  )
  // 31 degrees of freedom: one honest run in a million is above 83.
  expect(chiSquare).toBeLessThan(83)
})

test.each([
  ['019A-HJKM-NTVZ', '019AHJKMNTVZ'],
  ['019ahjkmntvz', '019AHJKMNTVZ'],
  [' 019A HJKM NTVZ ', '019AHJKMNTVZ'],
  ['1 · 019A-HJKM-NTVZ', '019AHJKMNTVZ'],
  ['10. 019A-HJKM-NTVZ', '019AHJKMNTVZ'],
  ['1 019A-HJKM-NTVZ', '019AHJKMNTVZ'],
  ['OI9A-HJKM-NTVZ', '019AHJKMNTVZ'],
  ['ol9a-hjkm-ntvz', '019AHJKMNTVZ'],
  ['019A-HJKM-NTV', undefined],
  ['019A-HJKM-NTVZZ', undefined],
  ['U19A-HJKM-NTVZ', undefined],
  ['123456', undefined],
  ['', undefined],
])('%j is read as %j', (typed, code) => {
  expect(readBackupCode(typed)).toBe(code)
})
