import { type DerNode, readDer } from '#server/domain/asn1/der.ts'
import {
  bitStringOctetsOf,
  magnitudeOf,
  oidOf,
  sequenceOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_DSA,
  ID_EC,
  ID_ED448,
  ID_ED25519,
  ID_RSA,
  ID_RSA_PSS,
} from '#server/domain/asn1/object-identifiers.ts'

type PublicKeyKind = 'rsa' | 'rsa-pss' | 'ec' | 'ed25519' | 'ed448' | 'dsa' | 'unknown'

export type PublicKey = {
  kind: PublicKeyKind
  /** SubjectPublicKeyInfo as it came. */
  spki: Uint8Array
  /** The octets of the subjectPublicKey, without tag, length and count of unused bits: what OCSP digests. */
  bits: Uint8Array
  /** Dotted decimal of the key's algorithm. */
  algorithm: string
  /** Of an RSA key, without leading zeros; else undefined. */
  modulus: Uint8Array | undefined
  exponent: Uint8Array | undefined
  /** Dotted decimal of the named curve of an EC key; else undefined. */
  curve: string | undefined
}

const KINDS: Record<string, PublicKeyKind> = {
  [ID_RSA]: 'rsa',
  [ID_RSA_PSS]: 'rsa-pss',
  [ID_EC]: 'ec',
  [ID_ED25519]: 'ed25519',
  [ID_ED448]: 'ed448',
  [ID_DSA]: 'dsa',
}

/** @throws {DerError} @see RFC 5280, 4.1.2.7 */
export function readPublicKey(node: DerNode): PublicKey {
  const [identifier, key] = sequenceOf(node)
  const [algorithmNode, parameters] = sequenceOf(identifier)
  const algorithm = oidOf(algorithmNode)
  const kind = KINDS[algorithm] ?? 'unknown'
  const bits = bitStringOctetsOf(key)
  const rsa = kind === 'rsa' || kind === 'rsa-pss' ? sequenceOf(readDer(bits)) : undefined
  return {
    kind,
    spki: node.bytes,
    bits,
    algorithm,
    modulus: rsa && magnitudeOf(rsa[0]),
    exponent: rsa && magnitudeOf(rsa[1]),
    curve: kind === 'ec' && parameters?.tag === TAG.oid ? oidOf(parameters) : undefined,
  }
}
