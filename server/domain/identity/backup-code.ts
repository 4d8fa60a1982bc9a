/** Codes per set. */
export const BACKUP_CODES = 10
/** At this number, the user is told to make new ones. */
export const FEW_BACKUP_CODES = 2

const LENGTH = 12
/** Crockford's base32: no ambiguous characters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Encodes random bytes as a code: 60 bits in 12 characters.
 *
 * @param random 12 bytes, five bits of each are used
 * @throws {RangeError} for any other number of bytes
 * @see https://www.crockford.com/base32.html
 */
export function backupCodeFrom(random: Uint8Array): string {
  if (random.length !== LENGTH) throw new RangeError(`a backup code wants ${LENGTH} bytes`)
  return Array.from(random, (byte) => ALPHABET.charAt(byte & 31)).join('')
}

/** For people: `XXXX-XXXX-XXXX`. */
export const formatBackupCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

/**
 * Normalizes a typed code: hyphens, spaces, the number in front and case do not matter, and O and I are read as
 * digits. Undefined if it cannot be a code.
 */
export function readBackupCode(text: string): string | undefined {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^\s*(?:10|[1-9])\s*[·.):]\s*/, '')
    .replace(/^\s*(?:10|[1-9])\s+(?=\w{4}[\s-]\w{4}[\s-]\w{4}\s*$)/, '')
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter))
    ? code
    : undefined
}
