import { z } from 'zod'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 26

/**
 * The code of an activation or signing link: 26 characters (130 bits) of Crockford's base 32, easy to read from
 * a screen or paper. `I`, `L` and `O` are read as digits.
 *
 * @see https://www.crockford.com/base32.html
 */
export const ActivationCode = z
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
  .pipe(z.string().regex(new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)))
  .brand<'ActivationCode'>()
export type ActivationCode = z.infer<typeof ActivationCode>

/** Random bytes per code. */
export const ACTIVATION_CODE_BYTES = LENGTH

/** Encodes random bytes as a code, five bits of each. */
export function activationCodeFrom(random: Uint8Array): ActivationCode {
  if (random.length !== LENGTH) throw new RangeError(`a code wants ${LENGTH} bytes`)
  return ActivationCode.parse([...random].map((byte) => ALPHABET[byte & 31]).join(''))
}

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
