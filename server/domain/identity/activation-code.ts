import { z } from 'zod'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 26

/**
 * A code of Crockford's base 32, easy to read from a screen or paper. `I`, `L` and `O` are read as digits; hyphens, spaces and
 * case do not matter.
 *
 * @see https://www.crockford.com/base32.html
 */
export const crockford = (length: number) =>
  z
    .string()
    .max(200)
    .transform((text) =>
      text
        .normalize('NFKC')
        .toUpperCase()
        .replace(/[\s\-–—]/g, '')
        .replace(/O/g, '0')
        .replace(/[IL]/g, '1'),
    )
    .pipe(z.string().regex(new RegExp(`^[${ALPHABET}]{${length}}$`)))

/** Encodes random bytes, five bits of each. @throws {RangeError} for any other number of bytes */
export function encodeCrockford(random: Uint8Array, length: number): string {
  if (random.length !== length) throw new RangeError(`a code wants ${length} bytes`)
  return Array.from(random, (byte) => ALPHABET.charAt(byte & 31)).join('')
}

/** The code of an activation or signing link: 26 characters (130 bits). */
export const ActivationCode = crockford(LENGTH).brand<'ActivationCode'>()
export type ActivationCode = z.infer<typeof ActivationCode>

/** Random bytes per code. */
export const ACTIVATION_CODE_BYTES = LENGTH

/** Encodes random bytes as a code. */
export const activationCodeFrom = (random: Uint8Array): ActivationCode =>
  ActivationCode.parse(encodeCrockford(random, LENGTH))

/** The stored hash: the code has 130 random bits, so a plain hash suffices. */
export const hashOfActivationCode = (code: ActivationCode): Sha256 => sha256(`activation!${code}`)

/** `7K3F9-QZA4M-0TXW2-B7K3F-9QZA4M`: five groups, the last one longer. */
export function groupedActivationCode(code: ActivationCode): string {
  return [0, 5, 10, 15, 20].map((at) => code.slice(at, at === 20 ? LENGTH : at + 5)).join('-')
}

/** The URL of the page; the part after `#` stays in the browser and is never logged. */
export function activationLink(publicOrigin: string, code: ActivationCode): string {
  return `${publicOrigin}/activate#${groupedActivationCode(code)}`
}
