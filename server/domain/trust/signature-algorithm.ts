import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { sequenceOf, TAG } from '#server/domain/asn1/der-values.ts'
import { sequence } from '#server/domain/asn1/der-writer.ts'
import {
  ID_DSA,
  ID_DSA_SHA1,
  ID_DSA_SHA224,
  ID_DSA_SHA256,
  ID_DSA_SHA384,
  ID_DSA_SHA512,
  ID_EC,
  ID_ECDSA_SHA1,
  ID_ECDSA_SHA3_256,
  ID_ECDSA_SHA3_384,
  ID_ECDSA_SHA3_512,
  ID_ECDSA_SHA224,
  ID_ECDSA_SHA256,
  ID_ECDSA_SHA384,
  ID_ECDSA_SHA512,
  ID_ED448,
  ID_ED25519,
  ID_RSA,
  ID_RSA_MD5,
  ID_RSA_PSS,
  ID_RSA_SHA1,
  ID_RSA_SHA1_OIW,
  ID_RSA_SHA3_256,
  ID_RSA_SHA3_384,
  ID_RSA_SHA3_512,
  ID_RSA_SHA224,
  ID_RSA_SHA256,
  ID_RSA_SHA384,
  ID_RSA_SHA512,
} from '#server/domain/asn1/object-identifiers.ts'
import type { AlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { readPublicKey } from '#server/domain/x509/public-key.ts'
import { isCheckable, isCheckableDsa } from './checkable-key.ts'
import { type DigestName, digestNameOf, isBrokenDigest } from './digest-algorithm.ts'
import { readPssParameters } from './pss-parameters.ts'

type SignatureScheme = 'RSASSA-PKCS1-v1_5' | 'RSASSA-PSS' | 'ECDSA' | 'DSA' | 'Ed25519' | 'Ed448'

/** What a signature was made with, for people and for policies. */
export type SignatureFacts = {
  scheme: SignatureScheme
  /** Undefined for EdDSA, which digests by itself. */
  digest: DigestName | undefined
  /** Of the modulus or of the curve; 0 where it is not known, or the key protects nothing. */
  keyBits: number
  /** A broken digest, RSA or DSA below 2048 bits, a curve below 256. */
  isWeak: boolean
}

export type SignatureCheck =
  | { kind: 'checked'; isVerified: boolean; facts: SignatureFacts }
  /** We do not know the algorithm or the key is none: nothing can be said. */
  | { kind: 'unsupported'; oid: string }
  /** To check a signature by this key would take too long: nothing can be said. */
  | { kind: 'unsupported-key' }

type Scheme = {
  scheme: SignatureScheme
  digest: DigestName | undefined
  maskDigest?: DigestName
  saltLength?: number
}

const SCHEMES: Record<string, Scheme> = {
  [ID_RSA_MD5]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'md5' },
  [ID_RSA_SHA1]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha1' },
  [ID_RSA_SHA1_OIW]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha1' },
  [ID_RSA_SHA224]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha224' },
  [ID_RSA_SHA256]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha256' },
  [ID_RSA_SHA384]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha384' },
  [ID_RSA_SHA512]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha512' },
  [ID_RSA_SHA3_256]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha3-256' },
  [ID_RSA_SHA3_384]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha3-384' },
  [ID_RSA_SHA3_512]: { scheme: 'RSASSA-PKCS1-v1_5', digest: 'sha3-512' },
  [ID_ECDSA_SHA1]: { scheme: 'ECDSA', digest: 'sha1' },
  [ID_ECDSA_SHA224]: { scheme: 'ECDSA', digest: 'sha224' },
  [ID_ECDSA_SHA256]: { scheme: 'ECDSA', digest: 'sha256' },
  [ID_ECDSA_SHA384]: { scheme: 'ECDSA', digest: 'sha384' },
  [ID_ECDSA_SHA512]: { scheme: 'ECDSA', digest: 'sha512' },
  [ID_ECDSA_SHA3_256]: { scheme: 'ECDSA', digest: 'sha3-256' },
  [ID_ECDSA_SHA3_384]: { scheme: 'ECDSA', digest: 'sha3-384' },
  [ID_ECDSA_SHA3_512]: { scheme: 'ECDSA', digest: 'sha3-512' },
  [ID_DSA_SHA1]: { scheme: 'DSA', digest: 'sha1' },
  [ID_DSA_SHA224]: { scheme: 'DSA', digest: 'sha224' },
  [ID_DSA_SHA256]: { scheme: 'DSA', digest: 'sha256' },
  [ID_DSA_SHA384]: { scheme: 'DSA', digest: 'sha384' },
  [ID_DSA_SHA512]: { scheme: 'DSA', digest: 'sha512' },
  [ID_ED25519]: { scheme: 'Ed25519', digest: undefined },
  [ID_ED448]: { scheme: 'Ed448', digest: undefined },
}

/**
 * Whether `signature` over `signed` was made with the key. Never throws: a key or a signature of the wrong
 * shape does not verify.
 *
 * @param input.spki SubjectPublicKeyInfo, as it stands in the certificate
 * @param input.digestAlgorithm what signed data names beside an algorithm that is only the key's
 * @see RFC 5280, 6.1.3 (a)(1); RFC 5652, 5.6; RFC 8017, 8; RFC 4055, 3; RFC 8419
 */
export function checkSignature(input: {
  algorithm: AlgorithmIdentifier
  digestAlgorithm?: AlgorithmIdentifier
  spki: Uint8Array
  signed: Uint8Array
  signature: Uint8Array
}): SignatureCheck {
  const unsupported = { kind: 'unsupported', oid: input.algorithm.oid } as const
  const scheme = schemeOf(input.algorithm, input.digestAlgorithm)
  const key = scheme && publicKeyOf(scheme, input)
  if (key === 'uncheckable') return { kind: 'unsupported-key' }
  if (!scheme || !key || !hasKnownParameters(scheme, input.algorithm)) return unsupported
  const facts = factsOf(scheme, key)
  if (!doesFit(scheme.scheme, key)) return { kind: 'checked', isVerified: false, facts }
  try {
    const isVerified = verify(
      scheme.digest ?? null,
      input.signed,
      { key, ...paddingOf(scheme) },
      input.signature,
    )
    return { kind: 'checked', isVerified, facts }
  } catch {
    // OpenSSL throws for keys that it refuses to use, such as curves switched off by its maker.
    return unsupported
  }
}

function schemeOf(
  algorithm: AlgorithmIdentifier,
  digestAlgorithm: AlgorithmIdentifier | undefined,
): Scheme | undefined {
  const named = SCHEMES[algorithm.oid]
  if (named) return named
  if (algorithm.oid === ID_RSA_PSS) return pssOf(algorithm)
  const digest = digestAlgorithm && digestNameOf(digestAlgorithm.oid)
  if (!digest) return undefined
  if (algorithm.oid === ID_RSA) return { scheme: 'RSASSA-PKCS1-v1_5', digest }
  if (algorithm.oid === ID_EC) return { scheme: 'ECDSA', digest }
  if (algorithm.oid === ID_DSA) return { scheme: 'DSA', digest }
  return undefined
}

/**
 * Parameters that are not those of the algorithm could change what it means. Only PSS has any; RSA writes NULL,
 * and some programs do so for the others, but never for EdDSA.
 *
 * @see RFC 4055, 5; RFC 5758, 3; RFC 8410, 3
 */
function hasKnownParameters({ scheme }: Scheme, algorithm: AlgorithmIdentifier): boolean {
  const { oid, parameters } = algorithm
  if (scheme === 'RSASSA-PSS' || parameters === undefined) return true
  // The algorithm of the key in place of the signature's: then the curve or the group stands beside it.
  if (oid === ID_EC || oid === ID_DSA) return true
  if (scheme === 'Ed25519' || scheme === 'Ed448') return false
  return parameters.tag === TAG.null && parameters.content.length === 0
}

function pssOf(algorithm: AlgorithmIdentifier): Scheme | undefined {
  try {
    const parameters = readPssParameters(algorithm.parameters)
    return parameters && { scheme: 'RSASSA-PSS', ...parameters }
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function paddingOf({ scheme, saltLength }: Scheme) {
  if (scheme === 'RSASSA-PKCS1-v1_5') return { padding: constants.RSA_PKCS1_PADDING }
  if (scheme !== 'RSASSA-PSS' || saltLength === undefined) return {}
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
}

type ReadKey = KeyObject | 'uncheckable' | undefined

function publicKeyOf(
  { digest, maskDigest }: Scheme,
  { spki, algorithm }: { spki: Uint8Array; algorithm: AlgorithmIdentifier },
): ReadKey {
  const isOfOtherMask = maskDigest !== digest && maskDigest !== undefined
  if (isOfOtherMask) return readKey(spki, algorithm)
  return keyOf(spki)
}

/** The key with which a signature can be checked; undefined if it is none, or would take too long to check. */
export function checkableKey(spki: Uint8Array): KeyObject | undefined {
  const key = keyOf(spki)
  return key === 'uncheckable' ? undefined : key
}

function keyOf(spki: Uint8Array): ReadKey {
  if (!keys.has(spki)) keys.set(spki, readKey(spki, undefined))
  return keys.get(spki)
}

/** The key of one certificate checks many signatures, and reading it takes longer than a check. */
const keys = new WeakMap<Uint8Array, ReadKey>()

/** @param algorithm of an RSA key for this algorithm alone */
function readKey(spki: Uint8Array, algorithm: AlgorithmIdentifier | undefined): ReadKey {
  try {
    const publicKey = readPublicKey(readDer(spki))
    if (!isCheckable(publicKey)) return 'uncheckable'
    const { kind, curve } = publicKey
    // Explicit curve parameters may describe a curve on which signatures can be forged.
    if (kind === 'ec' && curve === undefined) return undefined
    const key = kind === 'rsa' && algorithm ? keyForAlgorithm(spki, algorithm) : spki
    const object = createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' })
    return isCheckableDsa(object) ? object : 'uncheckable'
  } catch {
    return undefined
  }
}

/** The same key, for this algorithm alone: OpenSSL takes the digest of the mask from nowhere else. */
const keyForAlgorithm = (spki: Uint8Array, algorithm: AlgorithmIdentifier) =>
  sequence(algorithm.bytes, sequenceOf(readDer(spki))[1]?.bytes ?? new Uint8Array())

const KEY_TYPES: Record<SignatureScheme, readonly string[]> = {
  'RSASSA-PKCS1-v1_5': ['rsa'],
  'RSASSA-PSS': ['rsa', 'rsa-pss'],
  ECDSA: ['ec'],
  DSA: ['dsa'],
  Ed25519: ['ed25519'],
  Ed448: ['ed448'],
}

const doesFit = (scheme: SignatureScheme, key: KeyObject) =>
  KEY_TYPES[scheme].includes(key.asymmetricKeyType ?? '')

function factsOf({ scheme, digest }: Scheme, key: KeyObject): SignatureFacts {
  const keyBits = bitsOf(key)
  const isEdwards = scheme === 'Ed25519' || scheme === 'Ed448'
  const leastBits = isEdwards || scheme === 'ECDSA' ? 255 : 2048
  const isDigestBroken = digest !== undefined && isBrokenDigest(digest)
  return { scheme, digest, keyBits, isWeak: isDigestBroken || keyBits < leastBits }
}

function bitsOf(key: KeyObject): number {
  const { modulusLength, namedCurve, publicExponent = 3n } = key.asymmetricKeyDetails ?? {}
  // With the exponent 1 every number is its own signature; no even one belongs to a private key.
  if (publicExponent < 3n || publicExponent % 2n === 0n) return 0
  if (modulusLength !== undefined) return modulusLength
  if (key.asymmetricKeyType === 'ed25519') return 255
  if (key.asymmetricKeyType === 'ed448') return 448
  // prime256v1, secp384r1, brainpoolP512t1: the size stands in the name.
  return Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? 0)
}
