import { octetsOf, sequenceOf, smallIntegerOf } from '#server/domain/asn1/der-values.ts'
import type { Bytes } from '#server/domain/asn1/der-writer.ts'
import {
  ID_PBE_SHA1_2DES,
  ID_PBE_SHA1_3DES,
  ID_PBE_SHA1_RC2_40,
  ID_PBE_SHA1_RC2_128,
} from '#server/domain/asn1/object-identifiers.ts'
import type { AlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { type DerivationWork, spend } from './derivation-work.ts'
import { decryptPbes2, derivationOf, type Pbes2, readPbes2 } from './pbes2.ts'
import { derivePkcs12 } from './pkcs12-derivation.ts'
import { decryptRc2 } from './rc2.ts'
import { decryptTripleDes } from './triple-des.ts'

type OldCipher = { cipher: 'des' | 'rc2'; keyBytes: 5 | 16 | 24 }

/** How a PKCS#8 or PKCS#12 file is encrypted under a password. The second kind is what was used before PBES2. */
export type PasswordScheme =
  | Pbes2
  | ({ kind: 'PKCS#12'; salt: Uint8Array; iterations: number } & OldCipher)

const OLD_CIPHERS: Record<string, OldCipher> = {
  [ID_PBE_SHA1_3DES]: { cipher: 'des', keyBytes: 24 },
  [ID_PBE_SHA1_2DES]: { cipher: 'des', keyBytes: 16 },
  [ID_PBE_SHA1_RC2_128]: { cipher: 'rc2', keyBytes: 16 },
  [ID_PBE_SHA1_RC2_40]: { cipher: 'rc2', keyBytes: 5 },
}

/**
 * Undefined for a scheme that we do not know, or that takes too long.
 *
 * @throws {DerError} if the parameters are not what the identifier says
 * @see RFC 7292, C; RFC 8018, 6.2
 */
export function readPasswordScheme(algorithm: AlgorithmIdentifier): PasswordScheme | undefined {
  const old = OLD_CIPHERS[algorithm.oid]
  if (!old) return readPbes2(algorithm)
  const [salt, count] = sequenceOf(algorithm.parameters)
  return { kind: 'PKCS#12', salt: octetsOf(salt), iterations: smallIntegerOf(count), ...old }
}

export type Decryption =
  /** To be wiped by the caller where it is a secret. */
  { kind: 'decrypted'; plain: Bytes } | { kind: 'unsupported-encryption' | 'wrong-password' }

/** @param work what it takes is spent of; `unsupported-encryption` when too little is left */
export async function decryptByPassword(
  scheme: PasswordScheme,
  encrypted: Uint8Array,
  password: string,
  work: DerivationWork,
): Promise<Decryption> {
  if (scheme.kind === 'PKCS#12') return decryptOld(scheme, encrypted, password, work)
  return spend(work, [derivationOf(scheme)])
    ? decryption(await decryptPbes2(scheme, encrypted, password))
    : { kind: 'unsupported-encryption' }
}

async function decryptOld(
  { salt, iterations, cipher, keyBytes }: Extract<PasswordScheme, { kind: 'PKCS#12' }>,
  encrypted: Uint8Array,
  password: string,
  work: DerivationWork,
): Promise<Decryption> {
  const derivation = { hash: 'SHA-1', salt, iterations } as const
  const derivations = [keyBytes, IV_BYTES].map((length) => ({ ...OWN, ...derivation, length }))
  if (!spend(work, derivations)) return { kind: 'unsupported-encryption' }
  const key = await derivePkcs12(password, derivation, 'key', keyBytes, work.digest)
  const iv = await derivePkcs12(password, derivation, 'iv', IV_BYTES, work.digest)
  try {
    return decryption(
      cipher === 'rc2'
        ? decryptRc2(key, iv, encrypted)
        : decryptTripleDes(threeKeys(key), iv, encrypted),
    )
  } finally {
    key.fill(0)
  }
}

const IV_BYTES = 8
const OWN = { scheme: 'PKCS#12' } as const

/** With two keys the first is also the third. */
const threeKeys = (key: Bytes) =>
  key.length === 24 ? key : new Uint8Array([...key, ...key.subarray(0, 8)])

const decryption = (plain: Bytes | undefined): Decryption =>
  plain ? { kind: 'decrypted', plain } : { kind: 'wrong-password' }
