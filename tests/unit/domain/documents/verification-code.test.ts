import { expect, test } from 'vitest'
import {
  parseVerificationCode,
  VerificationCode,
  verificationCodeFrom,
} from '#server/domain/documents/verification-code.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const code = verificationCodeFrom(
  Uint8Array.of(0x3a, 0x7f, 0x01, 0xc4, 0x99, 0xe0, 0x5b, 0x12, 0xd8, 0x6f),
)

test('four groups of four', () => {
  expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
})

test('all random bits but the last five count', () => {
  const codes = Array.from({ length: 75 }, (_, bit) => {
    const random = new Uint8Array(10)
    random[bit >> 3] = 0x80 >> (bit & 7)
    return verificationCodeFrom(random)
  })
  expect(new Set(codes).size).toBe(75)
})

test('every single wrong character is found', () => {
  const bare = code.replaceAll('-', '')
  for (let at = 0; at < bare.length; at++)
    for (const char of ALPHABET)
      if (char !== bare[at])
        expect(parseVerificationCode(bare.slice(0, at) + char + bare.slice(at + 1))).toBeUndefined()
})

test('every swap of two neighbours is found', () => {
  const bare = code.replaceAll('-', '')
  for (let at = 0; at + 1 < bare.length; at++) {
    const [a = '', b = ''] = bare.slice(at, at + 2)
    const swapped = bare.slice(0, at) + b + a + bare.slice(at + 2)
    if (a !== b) expect(parseVerificationCode(swapped)).toBeUndefined()
  }
})

test('however it was typed', () => {
  const zeros = verificationCodeFrom(Uint8Array.of(0, 0x42, 0, 0x10, 0x84, 0x21, 0, 0, 0, 0))
  expect(zeros).toContain('0')
  expect(zeros).toContain('1')
  for (const typed of [
    zeros.toLowerCase(),
    zeros.replaceAll('-', ''),
    zeros.replaceAll('-', ' '),
    ` ${zeros.replaceAll('-', '–')} `,
    zeros.replaceAll('0', 'O').replaceAll('1', 'I'),
    zeros.replaceAll('0', 'o').replaceAll('1', 'l'),
  ])
    expect(parseVerificationCode(typed)).toBe(zeros)
})

test.each(['', 'hola', '2026-000123', 'UUUU-UUUU-UUUU-UUUU'])('%j is no code', (typed) => {
  expect(parseVerificationCode(typed)).toBeUndefined()
  expect(VerificationCode.safeParse(typed).success).toBe(false)
})
