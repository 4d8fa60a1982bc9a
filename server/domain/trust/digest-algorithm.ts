import { createHash, type Hash } from 'node:crypto'

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
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '2.16.840.1.101.3.4.2.12': 'shake256',
}

/** The digest with this object identifier; undefined for one that we do not compute. */
export const digestNameOf = (oid: string): DigestName | undefined => DIGESTS[oid]

/** A running digest. SHAKE256 gives 512 bits, the only length that signed data uses (RFC 8419, 2.3). */
export const startDigest = (digest: DigestName): Hash =>
  digest === 'shake256' ? createHash(digest, { outputLength: 64 }) : createHash(digest)

/** Collisions of these can be made, so a signature over one proves nothing by itself. */
export const isBrokenDigest = (digest: DigestName) => digest === 'md5' || digest === 'sha1'
