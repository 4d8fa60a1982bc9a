import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'

/** A public key in COSE format. @see RFC 9052, 7 and RFC 9053, 7 */
export type CoseKey = {
  /** EdDSA, ES256 or RS256. @see https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
  algorithm: -8 | -7 | -257
  key: KeyObject
}

const KEY_TYPE = 1
const ALGORITHM = 3

/** Parses a COSE key; undefined for invalid or trailing bytes and for unknown algorithms or curves. */
export function readCoseKey(bytes: Uint8Array): CoseKey | undefined {
  const entries = readMap(bytes)
  const jwk = entries && jwkOf(entries)
  if (!jwk) return undefined
  try {
    return { algorithm: jwk.algorithm, key: createPublicKey({ key: jwk.key, format: 'jwk' }) }
  } catch {
    return undefined
  }
}

/** Whether `signature` over `data` is valid under the key. */
export function isSignedWithKey(
  { algorithm, key }: CoseKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return verify(algorithm === -8 ? null : 'sha256', data, key, signature)
  } catch {
    return false
  }
}

const MOST_MODULUS_BYTES = 512
const MOST_EXPONENT_BYTES = 4

type Entries = ReadonlyMap<number, number | Uint8Array>

function jwkOf(entries: Entries): (Pick<CoseKey, 'algorithm'> & { key: JsonWebKey }) | undefined {
  const part = (label: number) => {
    const value = entries.get(label)
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''
  }
  const lengthOf = (label: number) => {
    const value = entries.get(label)
    return value instanceof Uint8Array ? value.length : 0
  }
  const kind = [entries.get(KEY_TYPE), entries.get(ALGORITHM), entries.get(-1)].join(' ')
  // Octet key pair on Ed25519; two coordinates on P-256.
  if (kind === '1 -8 6') return { algorithm: -8, key: { kty: 'OKP', crv: 'Ed25519', x: part(-2) } }
  if (kind === '2 -7 1')
    return { algorithm: -7, key: { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) } }
  // The RSA modulus is parameter -1. Limits its length: longer keys only cost time.
  const isRsa = entries.get(KEY_TYPE) === 3 && entries.get(ALGORITHM) === -257
  if (isRsa && lengthOf(-1) <= MOST_MODULUS_BYTES && lengthOf(-2) <= MOST_EXPONENT_BYTES)
    return { algorithm: -257, key: { kty: 'RSA', n: part(-1), e: part(-2) } }
}

const UNSIGNED = 0
const NEGATIVE = 1
const BYTES = 2
const MAP = 5

/** Parses a CBOR map from small integers to integers and byte strings. @see RFC 8949, 3 */
function readMap(bytes: Uint8Array): Entries | undefined {
  let at = 0
  const entries = new Map<number, number | Uint8Array>()
  const map = head()
  if (map?.type !== MAP) return undefined
  for (let left = map.value; left > 0; left -= 1) {
    const label = item()
    const value = item()
    if (typeof label !== 'number' || value === undefined || entries.has(label)) return undefined
    entries.set(label, value)
  }
  return at === bytes.length ? entries : undefined

  function item(): number | Uint8Array | undefined {
    const read = head()
    if (read?.type === UNSIGNED) return read.value
    if (read?.type === NEGATIVE) return -1 - read.value
    if (read?.type !== BYTES || at + read.value > bytes.length) return undefined
    at += read.value
    return bytes.subarray(at - read.value, at)
  }

  /** Lengths up to two bytes: keys are never longer. */
  function head(): { type: number; value: number } | undefined {
    const first = bytes[at++]
    if (first === undefined) return undefined
    const [type, short] = [first >> 5, first & 31]
    if (short < 24) return { type, value: short }
    const more = short === 24 ? 1 : short === 25 ? 2 : 0
    if (more === 0 || at + more > bytes.length) return undefined
    let value = 0
    for (let i = 0; i < more; i += 1) value = value * 256 + (bytes[at++] ?? 0)
    return { type, value }
  }
}
