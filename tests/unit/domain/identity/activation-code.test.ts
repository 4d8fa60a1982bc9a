import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  ACTIVATION_CODE_BYTES,
  ActivationCode,
  activationCodeFrom,
  activationLink,
  groupedActivationCode,
  hashOfActivationCode,
} from '#server/domain/identity/activation-code.ts'

const bytes = Uint8Array.from({ length: ACTIVATION_CODE_BYTES }, (_, i) => i + 224)
const code = activationCodeFrom(bytes)

test('26 characters of five bits each', () => {
  expect(code).toBe('0123456789ABCDEFGHJKMNPQRS')
  expect(() => activationCodeFrom(new Uint8Array(25))).toThrow(RangeError)
})

test('is read however it was written down', () => {
  expect(groupedActivationCode(code)).toBe('01234-56789-ABCDE-FGHJK-MNPQRS')
  expect(ActivationCode.parse(' o1234 56789–abcde-fghjk mnpqrs\n')).toBe(code)
  expect(ActivationCode.parse('Oi234-56789-ABCDE-FGHJK-MNPQRS')).toBe(code)
  for (const wrong of ['', code.slice(1), `${code}0`, code.replace('5', 'U'), 'x'.repeat(300)])
    expect(ActivationCode.safeParse(wrong).success).toBe(false)
})

test('stays behind the # of its link, and only a hash is stored', () => {
  const link = activationLink('https://rubrica.example', code)
  expect(link).toBe('https://rubrica.example/activate#01234-56789-ABCDE-FGHJK-MNPQRS')
  expect(new URL(link).pathname).toBe('/activate')
  expect(hashOfActivationCode(code)).toMatch(/^[0-9a-f]{64}$/)
})

test('ten thousand codes: none twice, every character as often as the others', () => {
  const codes = Array.from({ length: 10_000 }, () =>
    activationCodeFrom(randomBytes(ACTIVATION_CODE_BYTES)),
  )
  expect(new Set(codes).size).toBe(codes.length)
  const counts = new Map<string, number>()
  for (const char of codes.join('')) counts.set(char, (counts.get(char) ?? 0) + 1)
  const expected = (codes.length * 26) / 32
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
  expect(counts.size).toBe(32)
  // 31 degrees of freedom: a fair source exceeds this once in ten million runs.
  expect(chiSquare).toBeLessThan(95)
})
