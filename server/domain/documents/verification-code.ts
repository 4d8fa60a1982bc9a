import { z } from 'zod'

/**
 * The code on paper for checking a document: 75 random bits and a check character in Crockford's base 32,
 * `7K3F-9QZA-4M0T-XW2B`. Reveals nothing about folio, office or key.
 *
 * @see https://www.crockford.com/base32.html
 */
export const VerificationCode = z
  .string()
  .regex(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  .refine((code) => checksum(symbolsOf(code)) === 0, 'check character')
  .brand<'VerificationCode'>()
export type VerificationCode = z.infer<typeof VerificationCode>

/** Random bytes per code; the last five bits are not used. */
export const VERIFICATION_CODE_BYTES = 10

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_SYMBOLS = 15

/** @throws {RangeError} unless there are exactly 10 random bytes */
export function verificationCodeFrom(random: Uint8Array): VerificationCode {
  if (random.length !== VERIFICATION_CODE_BYTES)
    throw new RangeError(`a verification code wants ${VERIFICATION_CODE_BYTES} bytes`)
  const symbols = Array.from({ length: RANDOM_SYMBOLS }, (_, i) => fiveBits(random, i * 5))
  // The check symbol has weight one, so it is the sum of the others (in this field minus is plus).
  return VerificationCode.parse(grouped([...symbols, checksum([...symbols, 0])]))
}

/** The code that a user typed, in any spelling; undefined if it cannot be a code. */
export function parseVerificationCode(text: string): VerificationCode | undefined {
  const bare = text.toUpperCase().replace(/[\s\-‐-―.]/gu, '')
  const read = bare.replaceAll('O', '0').replace(/[IL]/g, '1')
  const code = VerificationCode.safeParse(read.match(/.{1,4}/gu)?.join('-'))
  return code.success ? code.data : undefined
}

function fiveBits(bytes: Uint8Array, at: number): number {
  const pair = ((bytes[at >> 3] ?? 0) << 8) | (bytes[(at >> 3) + 1] ?? 0)
  return (pair >> (11 - (at & 7))) & 31
}

function grouped(symbols: readonly number[]): string {
  const text = symbols.map((symbol) => ALPHABET[symbol]).join('')
  return text.match(/.{4}/g)?.join('-') ?? ''
}

function symbolsOf(code: string): number[] {
  return [...code.replaceAll('-', '')].map((char) => ALPHABET.indexOf(char))
}

/**
 * Zero exactly for a valid code: the sum of symbol × 2^position in GF(32). All weights differ and are not zero,
 * so one wrong symbol or two swapped neighbours are always detected; a plain sum modulo 32 misses swaps.
 */
function checksum(symbols: readonly number[]): number {
  return symbols.reduce((sum, symbol) => double(sum) ^ symbol, 0)
}

/** Times two in GF(32) with the primitive polynomial x⁵ + x² + 1. */
function double(element: number): number {
  const doubled = element << 1
  return doubled & 32 ? doubled ^ 0b100101 : doubled
}
