/*
 * Bech32, in which age writes keys: letters without capitals or digits that look alike, and a checksum that finds
 * every error of up to four letters. Without the length limit of BIP 173, as age has it.
 *
 * https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki
 */

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LETTERS = 6
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** @param prefix in lower case */
export function toBech32(prefix: string, bytes: Uint8Array): string {
  const values = regrouped(bytes, 8, 5, 'padded') ?? []
  const checked = checksumOf([...expanded(prefix), ...values, 0, 0, 0, 0, 0, 0]) ^ 1
  const checksum = Array.from(
    { length: CHECKSUM_LETTERS },
    (_, i) => (checked >> (5 * (5 - i))) & 31,
  )
  return `${prefix}1${[...values, ...checksum].map((value) => LETTERS[value]).join('')}`
}

/**
 * The prefix in lower case, and the bytes.
 *
 * @returns undefined if the text has mixed case, other letters, a wrong checksum or stray bits at its end
 */
export function fromBech32(text: string): { prefix: string; bytes: Uint8Array } | undefined {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return undefined
  const separator = lower.lastIndexOf('1')
  const prefix = lower.slice(0, separator)
  if (separator < 1 || !/^[\x21-\x7e]+$/.test(prefix)) return undefined
  const values = [...lower.slice(separator + 1)].map((letter) => LETTERS.indexOf(letter))
  if (values.length < CHECKSUM_LETTERS || values.includes(-1)) return undefined
  if (checksumOf([...expanded(prefix), ...values]) !== 1) return undefined
  const bytes = regrouped(values.slice(0, -CHECKSUM_LETTERS), 5, 8, 'exact')
  return bytes && { prefix, bytes: Uint8Array.from(bytes) }
}

const expanded = (prefix: string): number[] => {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function checksumOf(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, term] of GENERATOR.entries()) if ((top >> bit) & 1) sum ^= term
  }
  return sum >>> 0
}

/** Groups of `from` bits as groups of `to` bits; `exact` accepts only unused bits that are zero and fewer than a group. */
function regrouped(
  groups: Iterable<number>,
  from: number,
  to: number,
  end: 'padded' | 'exact',
): number[] | undefined {
  const result: number[] = []
  let [bits, held] = [0, 0]
  for (const group of groups) {
    bits = ((bits << from) | group) & 0xffff
    held += from
    while (held >= to) {
      held -= to
      result.push((bits >> held) & ((1 << to) - 1))
    }
  }
  const rest = bits & ((1 << held) - 1)
  if (end === 'padded') return held > 0 ? [...result, rest << (to - held)] : result
  return held >= from || rest !== 0 ? undefined : result
}
