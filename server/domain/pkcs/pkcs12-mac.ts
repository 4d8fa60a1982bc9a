import type { DerNode } from '#server/domain/asn1/der.ts'
import { areEqual, octetsOf, sequenceOf, smallIntegerOf } from '#server/domain/asn1/der-values.ts'
import type { Bytes } from '#server/domain/asn1/der-writer.ts'
import {
  ID_HMAC_SHA1,
  ID_HMAC_SHA256,
  ID_HMAC_SHA384,
  ID_HMAC_SHA512,
  ID_PBKDF2,
  ID_PBMAC1,
  ID_SHA1,
  ID_SHA256,
  ID_SHA384,
  ID_SHA512,
} from '#server/domain/asn1/object-identifiers.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { type DerivationWork, spend } from './derivation-work.ts'
import { readPbkdf2 } from './pbes2.ts'
import { derivePkcs12, type Pkcs12Hash } from './pkcs12-derivation.ts'

const HASHES: Record<string, Pkcs12Hash> = {
  [ID_SHA1]: 'SHA-1',
  [ID_SHA256]: 'SHA-256',
  [ID_SHA384]: 'SHA-384',
  [ID_SHA512]: 'SHA-512',
}
const HMACS: Record<string, Pkcs12Hash> = {
  [ID_HMAC_SHA1]: 'SHA-1',
  [ID_HMAC_SHA256]: 'SHA-256',
  [ID_HMAC_SHA384]: 'SHA-384',
  [ID_HMAC_SHA512]: 'SHA-512',
}

/**
 * Whether the password is the one over which a PKCS#12 file was sealed, and nothing changed since; undefined
 * for a seal that we do not know, or that takes too long.
 *
 * @param macData the third element of the file
 * @param content the octets that are sealed
 * @param work what it takes is spent of
 * @throws {DerError} if it is no MacData
 * @see RFC 7292, 4 and A; RFC 9579, 4
 */
export async function isSealedWith(
  macData: DerNode,
  content: Uint8Array,
  password: string,
  work: DerivationWork,
): Promise<boolean | undefined> {
  const [digestInfo, salt, count] = sequenceOf(macData)
  const [algorithm, expected] = sequenceOf(digestInfo)
  const { oid, parameters } = readAlgorithmIdentifier(algorithm)
  const iterations = count ? smallIntegerOf(count) : 1
  const made =
    oid === ID_PBMAC1
      ? await pbmac1(parameters, content, password, work)
      : await oldMac(HASHES[oid], { salt: octetsOf(salt), iterations, work }, content, password)
  return made && areEqual(made, octetsOf(expected))
}

async function oldMac(
  hash: Pkcs12Hash | undefined,
  { salt, iterations, work }: { salt: Uint8Array; iterations: number; work: DerivationWork },
  content: Uint8Array,
  password: string,
): Promise<Bytes | undefined> {
  if (!hash) return undefined
  const length = Number(hash.slice(4)) === 1 ? 20 : Number(hash.slice(4)) / 8
  if (!spend(work, [{ scheme: 'PKCS#12', hash, iterations, length }])) return undefined
  const scheme = { hash, salt, iterations }
  const key = await derivePkcs12(password, scheme, 'mac', length, work.digest)
  return hmac(hash, key, content)
}

async function pbmac1(
  parameters: DerNode | undefined,
  content: Uint8Array,
  password: string,
  work: DerivationWork,
): Promise<Bytes | undefined> {
  const [derivation, scheme] = sequenceOf(parameters).map(readAlgorithmIdentifier)
  const pbkdf2 = derivation && readPbkdf2(derivation.parameters)
  const hash = scheme && HMACS[scheme.oid]
  if (derivation?.oid !== ID_PBKDF2 || !pbkdf2?.keyLength || !hash) return undefined
  const length = pbkdf2.keyLength
  // No hash has use for more.
  if (length > LONGEST_KEY || !spend(work, [{ scheme: 'PBKDF2', ...pbkdf2, length }]))
    return undefined
  const octets = new TextEncoder().encode(password)
  const base = await crypto.subtle.importKey('raw', octets, 'PBKDF2', false, ['deriveBits'])
  octets.fill(0)
  const algorithm = {
    name: 'PBKDF2',
    hash: pbkdf2.hash,
    iterations: pbkdf2.iterations,
    salt: new Uint8Array(pbkdf2.salt),
  }
  const bits = await crypto.subtle.deriveBits(algorithm, base, pbkdf2.keyLength * 8)
  return hmac(hash, new Uint8Array(bits), content)
}

/** Of HMAC with SHA-512, in bytes. */
const LONGEST_KEY = 128

async function hmac(hash: Pkcs12Hash, key: Bytes, content: Uint8Array): Promise<Bytes> {
  const algorithm = { name: 'HMAC', hash }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  key.fill(0)
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new Uint8Array(content)))
}
