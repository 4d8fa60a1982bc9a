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
import { readPbes2 } from './encrypted-private-key.ts'
import { derivePkcs12 } from './pkcs12-derivation.ts'
import { decryptPbes2 } from './private-key.ts'
import { decryptRc2 } from './rc2.ts'
import { decryptTripleDes } from './triple-des.ts'

const CIPHERS: Record<string, { cipher: 'des' | 'rc2'; keyBytes: 5 | 16 | 24 }> = {
  [ID_PBE_SHA1_3DES]: { cipher: 'des', keyBytes: 24 },
  [ID_PBE_SHA1_2DES]: { cipher: 'des', keyBytes: 16 },
  [ID_PBE_SHA1_RC2_128]: { cipher: 'rc2', keyBytes: 16 },
  [ID_PBE_SHA1_RC2_40]: { cipher: 'rc2', keyBytes: 5 },
}

export type Pkcs12Decryption =
  /** To be wiped by the caller where it is a secret. */
  { kind: 'decrypted'; plain: Bytes } | { kind: 'unsupported-encryption' | 'wrong-password' }

/**
 * What a PKCS#12 file hides under its password: by PBES2, or as before it by 3DES or RC2.
 *
 * @param work what it takes is spent of; `unsupported-encryption` when too little is left
 * @throws {DerError} if the parameters are not what the identifier says
 * @see RFC 7292, C; RFC 8018, 6.2
 */
export async function decryptPkcs12(
  algorithm: AlgorithmIdentifier,
  encrypted: Uint8Array,
  password: string,
  work: DerivationWork,
): Promise<Pkcs12Decryption> {
  const pbes2 = readPbes2(algorithm)
  if (pbes2) {
    const { hash, iterations, keyBytes: length } = pbes2
    return spend(work, [{ scheme: 'PBKDF2', hash, iterations, length }])
      ? decryption(await decryptPbes2(pbes2, encrypted, password))
      : { kind: 'unsupported-encryption' }
  }
  const scheme = CIPHERS[algorithm.oid]
  if (!scheme) return { kind: 'unsupported-encryption' }
  const [salt, count] = sequenceOf(algorithm.parameters)
  const derivation = {
    hash: 'SHA-1',
    salt: octetsOf(salt),
    iterations: smallIntegerOf(count),
  } as const
  const derivations = [scheme.keyBytes, IV_BYTES].map((length) => ({
    ...OWN,
    ...derivation,
    length,
  }))
  if (!spend(work, derivations)) return { kind: 'unsupported-encryption' }
  const key = await derivePkcs12(password, derivation, 'key', scheme.keyBytes, work.digest)
  const iv = await derivePkcs12(password, derivation, 'iv', IV_BYTES, work.digest)
  try {
    return decryption(
      scheme.cipher === 'rc2'
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

const decryption = (plain: Bytes | undefined): Pkcs12Decryption =>
  plain ? { kind: 'decrypted', plain } : { kind: 'wrong-password' }
