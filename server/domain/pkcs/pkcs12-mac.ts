import type { DerNode } from '#server/domain/asn1/der.ts'
import { areEqual, octetsOf, sequenceOf, smallIntegerOf } from '#server/domain/asn1/der-values.ts'
import type { Bytes } from '#server/domain/asn1/der-writer.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { type DerivationWork, spend } from './derivation-work.ts'
import { readPbkdf2 } from './encrypted-private-key.ts'
import { derivePkcs12, type Pkcs12Hash } from './pkcs12-derivation.ts'

const HASHES: Record<string, Pkcs12Hash> = {
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}
const HMACS: Record<string, Pkcs12Hash> = {
  '1.2.840.113549.2.7': 'SHA-1',
  '1.2.840.113549.2.9': 'SHA-256',
  '1.2.840.113549.2.10': 'SHA-384',
  '1.2.840.113549.2.11': 'SHA-512',
}
const PBMAC1 = '1.2.840.113549.1.5.14'

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
    oid === PBMAC1
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
  const key = await derivePkcs12(password, { hash, salt, iterations }, 'mac', length)
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
  if (derivation?.oid !== PBKDF2 || !pbkdf2?.keyLength || !hash) return undefined
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

const PBKDF2 = '1.2.840.113549.1.5.12'
/** Of HMAC with SHA-512, in bytes. */
const LONGEST_KEY = 128

async function hmac(hash: Pkcs12Hash, key: Bytes, content: Uint8Array): Promise<Bytes> {
  const algorithm = { name: 'HMAC', hash }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  key.fill(0)
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new Uint8Array(content)))
}
