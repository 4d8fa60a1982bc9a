import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
import { octetsOf, oidOf, sequenceOf, smallIntegerOf, TAG } from '#server/domain/asn1/der-values.ts'
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
} from '#server/domain/asn1/object-identifiers.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'

/** How a key is derived from a password, and for which cipher. */
export type Pbes2 = {
  hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
  salt: Uint8Array
  iterations: number
  cipher: 'des-EDE3-CBC' | 'AES-CBC'
  keyBytes: 16 | 24 | 32
  iv: Uint8Array
}

export type EncryptedPrivateKey = Pbes2 & { encrypted: Uint8Array }

const HASHES: Record<string, Pbes2['hash']> = {
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
 * The parameters of an EncryptedPrivateKeyInfo, or undefined when it is one whose encryption we do not
 * know: PBES1, scrypt, another cipher.
 *
 * @throws {DerError} if it is no EncryptedPrivateKeyInfo at all
 * @see RFC 5958, 3
 */
export function readEncryptedPrivateKey(file: DerNode): EncryptedPrivateKey | undefined {
  const [algorithm, data, ...more] = sequenceOf(file)
  if (more.length > 0) throw new DerError('unexpected-structure', 'not an encrypted private key')
  const encrypted = octetsOf(data)
  const scheme = readPbes2(readAlgorithmIdentifier(algorithm))
  return scheme && { ...scheme, encrypted }
}

/**
 * The parameters of PBES2, or undefined for any other scheme, derivation or cipher than we know.
 *
 * @throws {DerError} if the parameters are not what the identifier says
 * @see RFC 8018, A.2 and A.4
 */
export function readPbes2({ oid, parameters }: AlgorithmIdentifier): Pbes2 | undefined {
  if (oid !== ID_PBES2) return undefined
  const [derivation, scheme] = sequenceOf(parameters).map(readAlgorithmIdentifier)
  const cipher = scheme && CIPHERS[scheme.oid]
  if (derivation?.oid !== ID_PBKDF2 || !cipher) return undefined
  const pbkdf2 = readPbkdf2(derivation.parameters)
  const iv = octetsOf(scheme.parameters)
  const isWhole = iv.length === (cipher.cipher === 'AES-CBC' ? 16 : 8)
  if (!pbkdf2 || !isWhole || (pbkdf2.keyLength ?? cipher.keyBytes) !== cipher.keyBytes)
    return undefined
  const { hash, salt, iterations } = pbkdf2
  return { hash, salt, iterations, ...cipher, iv }
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
