import { DerError, readDer } from '#server/domain/asn1/der.ts'
import {
  areEqual,
  octetsOf,
  oidOf,
  sequenceOf,
  unsignedBytesOf,
} from '#server/domain/asn1/der-values.ts'
import { ID_RSA } from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { newDerivationWork } from './derivation-work.ts'
import { decryptOldPem } from './old-pem.ts'
import { type Decryption, decryptByPassword } from './password-scheme.ts'
import type { Digest } from './pkcs12-derivation.ts'
import {
  inspectPrivateKeyFile,
  type PrivateKeyFileRefusal,
  type ProtectedKey,
} from './private-key-file.ts'

/** A key that can sign and cannot be read out again. */
export type OpenedPrivateKey = {
  /** RSASSA-PKCS1-v1_5 with SHA-256, not extractable. */
  key: CryptoKey
  /** Big-endian, without leading zeros. */
  modulus: Uint8Array
}

export type PrivateKeyOutcome =
  | { kind: 'opened'; opened: OpenedPrivateKey }
  | { kind: PrivateKeyFileRefusal | 'wrong-password' }

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

/**
 * Opens the private key of an e.firma, in the page or on a server alike. What was decrypted is overwritten
 * as soon as the platform holds the key.
 *
 * A wrong password shows in three ways, and all of them are `wrong-password`: the padding is wrong; about
 * once in 256 times it is right by chance and no key follows; or what follows does not sign.
 *
 * @param digest absent: the platform's, which is slow where a file wants many rounds of it
 */
export async function openPrivateKey(
  file: Uint8Array,
  password: string,
  digest?: Digest,
): Promise<PrivateKeyOutcome> {
  const found = inspectPrivateKeyFile(file)
  if (found.kind !== 'encrypted') return { kind: found.kind }
  // Not every browser derives from an empty password, and no authority accepts one.
  if (password === '') return { kind: 'wrong-password' }
  const decrypted = await decrypt(found.key, password, digest)
  if (decrypted.kind !== 'decrypted') return decrypted
  const { plain } = decrypted
  try {
    const opened = await importPrivateKey(plain)
    return opened ? { kind: 'opened', opened } : { kind: 'wrong-password' }
  } finally {
    plain.fill(0)
  }
}

async function decrypt(key: ProtectedKey, password: string, digest?: Digest): Promise<Decryption> {
  if (key.kind === 'PKCS#8')
    return decryptByPassword(key.scheme, key.encrypted, password, newDerivationWork(digest))
  const plain = await decryptOldPem(key, password)
  return plain ? { kind: 'decrypted', plain } : { kind: 'wrong-password' }
}

/** Whether the certificate speaks of this key. Ask before signing: files of two persons look alike. */
export function matchesCertificate(opened: OpenedPrivateKey, certificate: Certificate): boolean {
  const { kind, modulus } = certificate.publicKey
  return kind === 'rsa' && modulus !== undefined && areEqual(opened.modulus, modulus)
}

/** The signature over `bytes` (not over a digest), as long as the modulus. */
export async function signWith(
  opened: OpenedPrivateKey,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM.name, opened.key, new Uint8Array(bytes)))
}

/**
 * The key of a PrivateKeyInfo in the clear; undefined when it is none that signs by RSA. The bytes stay the
 * caller's, to be wiped. @see RFC 5958, 2
 */
export async function importPrivateKey(
  plain: Uint8Array<ArrayBuffer>,
): Promise<OpenedPrivateKey | undefined> {
  const numbers = readPublicNumbers(plain)
  if (!numbers) return undefined
  try {
    const key = await crypto.subtle.importKey('pkcs8', plain, ALGORITHM, false, ['sign'])
    const opened = { key, modulus: numbers.modulus }
    return (await doesSign(opened, numbers.exponent)) ? opened : undefined
  } catch {
    // The platform refuses what is no RSA key; it says so by many names.
    return undefined
  }
}

/** Copies, so that nothing returned lives in the buffer that is wiped. @see RFC 8017, A.1.2 */
function readPublicNumbers(plain: Uint8Array) {
  try {
    const [, algorithm, key] = sequenceOf(readDer(plain, { maxNodes: 200 }))
    if (oidOf(sequenceOf(algorithm)[0]) !== ID_RSA) return undefined
    const [, modulus, exponent] = sequenceOf(readDer(octetsOf(key)))
    return {
      modulus: unsignedBytesOf(modulus).slice(),
      exponent: unsignedBytesOf(exponent).slice(),
    }
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** Signs and verifies a sample: a damaged key would make invalid signatures, and must be found before it signs a document. */
async function doesSign(opened: OpenedPrivateKey, exponent: Uint8Array): Promise<boolean> {
  const jwk = { kty: 'RSA', n: base64Url(opened.modulus), e: base64Url(exponent) }
  const publicKey = await crypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['verify'])
  const probe = new Uint8Array(32)
  const signature = await signWith(opened, probe)
  return crypto.subtle.verify(ALGORITHM.name, publicKey, signature, probe)
}

function base64Url(octets: Uint8Array): string {
  const text = btoa(String.fromCharCode(...octets))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
