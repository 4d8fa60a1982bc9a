import { createHash, type Hash } from 'node:crypto'
import {
  ID_MD5,
  ID_SHA1,
  ID_SHA3_256,
  ID_SHA3_384,
  ID_SHA3_512,
  ID_SHA224,
  ID_SHA256,
  ID_SHA384,
  ID_SHA512,
  ID_SHAKE256,
} from '#server/domain/asn1/object-identifiers.ts'

/** The digests that signatures of documents and certificates use, as `node:crypto` names them. */
export type DigestName =
  | 'md5'
  | 'sha1'
  | 'sha224'
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  | 'shake256'

const DIGESTS: Record<string, DigestName> = {
  [ID_MD5]: 'md5',
  [ID_SHA1]: 'sha1',
  [ID_SHA224]: 'sha224',
  [ID_SHA256]: 'sha256',
  [ID_SHA384]: 'sha384',
  [ID_SHA512]: 'sha512',
  [ID_SHA3_256]: 'sha3-256',
  [ID_SHA3_384]: 'sha3-384',
  [ID_SHA3_512]: 'sha3-512',
  [ID_SHAKE256]: 'shake256',
}

/** The digest with this object identifier; undefined for one that we do not compute. */
export const digestNameOf = (oid: string): DigestName | undefined => DIGESTS[oid]

/** A running digest. SHAKE256 gives 512 bits, the only length that signed data uses (RFC 8419, 2.3). */
export const startDigest = (digest: DigestName): Hash =>
  digest === 'shake256' ? createHash(digest, { outputLength: 64 }) : createHash(digest)

/** Collisions of these can be made, so a signature over one proves nothing by itself. */
export const isBrokenDigest = (digest: DigestName) => digest === 'md5' || digest === 'sha1'

const digests = new WeakMap<Uint8Array, Map<DigestName, Uint8Array>>()

/**
 * The digest of bytes that are never changed, computed once for the same array: a stranger can ask for it as often
 * as a file has room for the question.
 */
export function digestOnce(digest: DigestName, bytes: Uint8Array): Uint8Array {
  const known = digests.get(bytes) ?? new Map<DigestName, Uint8Array>()
  digests.set(bytes, known)
  const value = known.get(digest) ?? startDigest(digest).update(bytes).digest()
  known.set(digest, value)
  return value
}
