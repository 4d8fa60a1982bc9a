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
import type { Pbes2 } from './encrypted-private-key.ts'
import { inspectPrivateKeyFile, type PrivateKeyFileRefusal } from './private-key-file.ts'
import { decryptTripleDes } from './triple-des.ts'

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
 */
export async function openPrivateKey(
  file: Uint8Array,
  password: string,
): Promise<PrivateKeyOutcome> {
  const found = inspectPrivateKeyFile(file)
  if (found.kind !== 'encrypted') return { kind: found.kind }
  // Not every browser derives from an empty password, and no authority accepts one.
  if (password === '') return { kind: 'wrong-password' }
  const plain = await decryptPbes2(found.parameters, found.parameters.encrypted, password)
  if (!plain) return { kind: 'wrong-password' }
  try {
    const opened = await importPrivateKey(plain)
    return opened ? { kind: 'opened', opened } : { kind: 'wrong-password' }
  } finally {
    plain.fill(0)
  }
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

/** What was encrypted under a password, to be wiped by the caller; undefined when the padding says that it is wrong. */
export async function decryptPbes2(
  scheme: Pbes2,
  encrypted: Uint8Array,
  password: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const derived = await deriveKey(scheme, password)
  try {
    if (scheme.cipher === 'des-EDE3-CBC') return decryptTripleDes(derived, scheme.iv, encrypted)
    return await decryptAes(derived, scheme, encrypted)
  } finally {
    derived.fill(0)
  }
}

/** @see RFC 8018, 5.2; the password in UTF-8, as the SAT's program encodes ñ and á */
async function deriveKey({ hash, salt, iterations, keyBytes }: Pbes2, text: string) {
  const octets = new TextEncoder().encode(text)
  const password = await crypto.subtle.importKey('raw', octets, 'PBKDF2', false, ['deriveBits'])
  octets.fill(0)
  const derivation = { name: 'PBKDF2', hash, iterations, salt: new Uint8Array(salt) }
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, password, keyBytes * 8))
}

async function decryptAes(
  derived: Uint8Array<ArrayBuffer>,
  { iv }: Pbes2,
  encrypted: Uint8Array,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const key = await crypto.subtle.importKey('raw', derived, 'AES-CBC', false, ['decrypt'])
  const algorithm = { name: 'AES-CBC', iv: new Uint8Array(iv) }
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, new Uint8Array(encrypted)))
  } catch {
    return undefined
  }
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
