import type { DerNode } from '#server/domain/asn1/der.ts'
import { octetsOf, oidOf, sequenceOf, smallIntegerOf, TAG } from '#server/domain/asn1/der-values.ts'
import type { Bytes } from '#server/domain/asn1/der-writer.ts'
import {
  ID_AES128_CBC,
  ID_AES192_CBC,
  ID_AES256_CBC,
  ID_DES_EDE3_CBC,
  ID_HMAC_SHA1,
  ID_HMAC_SHA256,
  ID_HMAC_SHA384,
  ID_HMAC_SHA512,
  ID_PBES2,
  ID_PBKDF2,
  ID_SCRYPT,
} from '#server/domain/asn1/object-identifiers.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import { decryptAes } from './aes-cbc.ts'
import type { Derivation } from './derivation-work.ts'
import { isAffordable, type ScryptParameters, scrypt } from './scrypt.ts'
import { decryptTripleDes } from './triple-des.ts'

/** How a key is derived from a password, and for which cipher. */
export type Pbes2 = {
  kind: 'PBES2'
  derivation: ({ scheme: 'PBKDF2' } & Pbkdf2) | ({ scheme: 'scrypt' } & ScryptParameters)
  cipher: 'des-EDE3-CBC' | 'AES-CBC'
  keyBytes: 16 | 24 | 32
  iv: Uint8Array
}

export type Pbkdf2 = {
  hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
  salt: Uint8Array
  iterations: number
}

const HASHES: Record<string, Pbkdf2['hash']> = {
  [ID_HMAC_SHA1]: 'SHA-1',
  [ID_HMAC_SHA256]: 'SHA-256',
  [ID_HMAC_SHA384]: 'SHA-384',
  [ID_HMAC_SHA512]: 'SHA-512',
}

const CIPHERS: Record<string, Pick<Pbes2, 'cipher' | 'keyBytes'>> = {
  [ID_DES_EDE3_CBC]: { cipher: 'des-EDE3-CBC', keyBytes: 24 },
  [ID_AES128_CBC]: { cipher: 'AES-CBC', keyBytes: 16 },
  [ID_AES192_CBC]: { cipher: 'AES-CBC', keyBytes: 24 },
  [ID_AES256_CBC]: { cipher: 'AES-CBC', keyBytes: 32 },
}

/**
 * Real files have 2048, careful ones 600,000, and 1,300,000 with SHA-1. More would keep a slow page busy for many
 * seconds, and would let an attacker keep the server busy.
 */
const MOST_ITERATIONS = 2_000_000

/**
 * The parameters of PBES2, or undefined for any other scheme, derivation or cipher than we know.
 *
 * @throws {DerError} if the parameters are not what the identifier says
 * @see RFC 8018, A.2 and A.4
 */
export function readPbes2({ oid, parameters }: AlgorithmIdentifier): Pbes2 | undefined {
  if (oid !== ID_PBES2) return undefined
  const [derived, scheme] = sequenceOf(parameters).map(readAlgorithmIdentifier)
  const cipher = scheme && CIPHERS[scheme.oid]
  const found = derived && readDerivation(derived)
  if (!found || !cipher) return undefined
  const iv = octetsOf(scheme.parameters)
  const isWhole = iv.length === (cipher.cipher === 'AES-CBC' ? 16 : 8)
  if (!isWhole || (found.keyLength ?? cipher.keyBytes) !== cipher.keyBytes) return undefined
  return { kind: 'PBES2', derivation: found.derivation, ...cipher, iv }
}

/** Undefined for a derivation that we do not know or that would take too long. */
function readDerivation({ oid, parameters }: AlgorithmIdentifier) {
  if (oid === ID_SCRYPT) return readScrypt(parameters)
  const found = oid === ID_PBKDF2 ? readPbkdf2(parameters) : undefined
  if (!found) return undefined
  const { keyLength, ...pbkdf2 } = found
  return { derivation: { scheme: 'PBKDF2', ...pbkdf2 } as const, keyLength }
}

/** @see RFC 7914, 7 */
function readScrypt(parameters: DerNode | undefined) {
  const [salt, cost, blockSize, parallelization, keyLength] = sequenceOf(parameters)
  const derivation = {
    scheme: 'scrypt',
    salt: octetsOf(salt),
    cost: smallIntegerOf(cost),
    blockSize: smallIntegerOf(blockSize),
    parallelization: smallIntegerOf(parallelization),
  } as const
  if (!isAffordable(derivation)) return undefined
  return { derivation, keyLength: keyLength && smallIntegerOf(keyLength) }
}

/** Undefined for a derivation that we do not know or that would take too long. */
export function readPbkdf2(parameters: DerNode | undefined) {
  const [salt, count, ...optional] = sequenceOf(parameters)
  if (salt?.tag !== TAG.octetString) return undefined
  const iterations = smallIntegerOf(count)
  const length = optional.find(({ tag }) => tag === TAG.integer)
  const prf = optional.find(({ tag }) => tag === TAG.sequence)
  const hash = prf ? HASHES[oidOf(sequenceOf(prf)[0])] : 'SHA-1'
  if (!hash || iterations < 1 || iterations > MOST_ITERATIONS) return undefined
  return { salt: octetsOf(salt), iterations, hash, keyLength: length && smallIntegerOf(length) }
}

/** What it takes to derive the key. */
export const derivationOf = ({ derivation, keyBytes }: Pbes2): Derivation =>
  derivation.scheme === 'PBKDF2' ? { ...derivation, length: keyBytes } : derivation

/** What was encrypted under a password, to be wiped by the caller; undefined when the padding says that it is wrong. */
export async function decryptPbes2(
  scheme: Pbes2,
  encrypted: Uint8Array,
  password: string,
): Promise<Bytes | undefined> {
  const derived = await deriveKey(scheme, password)
  try {
    return scheme.cipher === 'des-EDE3-CBC'
      ? decryptTripleDes(derived, scheme.iv, encrypted)
      : await decryptAes(derived, scheme.iv, encrypted)
  } finally {
    derived.fill(0)
  }
}

/** @see RFC 8018, 5.2; the password in UTF-8, as the SAT's program encodes ñ and á */
async function deriveKey({ derivation, keyBytes }: Pbes2, text: string): Promise<Bytes> {
  const octets = new TextEncoder().encode(text)
  const password = await crypto.subtle.importKey('raw', octets, 'PBKDF2', false, ['deriveBits'])
  octets.fill(0)
  if (derivation.scheme === 'scrypt') return await scrypt(password, derivation, keyBytes)
  const { hash, iterations, salt } = derivation
  const algorithm = { name: 'PBKDF2', hash, iterations, salt: new Uint8Array(salt) }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, password, keyBytes * 8))
}
