import type { KeyObject } from 'node:crypto'
import {
  ID_P192,
  ID_P224,
  ID_P256,
  ID_P384,
  ID_P521,
  ID_SECP256K1,
} from '#server/domain/asn1/object-identifiers.ts'
import type { PublicKey } from '#server/domain/x509/public-key.ts'

/** Longest RSA modulus. Authorities use up to 4096 bits; twice as many still cost about a millisecond. */
export const MOST_RSA_BITS = 8192
/** Longest RSA exponent. Authorities use 17 bits; a check costs as much as the exponent is long. */
export const MOST_EXPONENT_BITS = 32
export const MOST_DSA_BITS = 4096

/**
 * Named curves over prime fields, up to 521 bits. Those over binary fields cost several times as much, and no
 * authority uses them.
 *
 * @see SEC 2, 2; RFC 5639, 4.1
 */
const CURVES = new Set([
  ID_P192,
  ID_P224,
  ID_P256,
  ID_P384,
  ID_P521,
  ID_SECP256K1,
  ...Array.from({ length: 14 }, (_, index) => `1.3.36.3.3.2.8.1.1.${index + 1}`), // brainpool
])

/**
 * Whether a signature by this key takes a few milliseconds at most: a stranger chooses the key, and makes it once,
 * but we check it as often as we are asked.
 */
export function isCheckable({ modulus, exponent, curve }: PublicKey): boolean {
  if (bitsOf(modulus) > MOST_RSA_BITS || bitsOf(exponent) > MOST_EXPONENT_BITS) return false
  return curve === undefined || CURVES.has(curve)
}

/** What `isCheckable` cannot see before the key was read: the numbers of a DSA key stand in its parameters. */
export const isCheckableDsa = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
  asymmetricKeyType !== 'dsa' || (asymmetricKeyDetails?.modulusLength ?? 0) <= MOST_DSA_BITS

const bitsOf = (number: Uint8Array | undefined) => 8 * (number?.length ?? 0)
