import { createHmac, hkdfSync } from 'node:crypto'
import { FILE_KEY_BYTES } from '#server/domain/age/stream.ts'
import { toHex } from '#server/domain/bytes.ts'
import { seal, unseal } from '#server/domain/crypto/seal.ts'
import {
  type FileAddress,
  type OfficeKey,
  placeOfFileKey,
  placeOfOfficeKey,
  type StoredFile,
} from './stored-file.ts'

export const OFFICE_KEY_BYTES = 32

/** What an office's key is used for: one key for each purpose. */
export type OpenOfficeKey = { readonly wrapping: Uint8Array; readonly naming: Uint8Array }

/**
 * A new key of an office.
 *
 * @param seal encrypts 32 new random bytes for the place
 */
export const newOfficeKey = (
  made: Omit<OfficeKey, 'sealed'>,
  seal: (place: string) => OfficeKey['sealed'],
): OfficeKey => ({ ...made, sealed: seal(placeOfOfficeKey(made)) })

/** @param secret 32 random bytes of the office */
export function openOfficeKey(secret: Uint8Array): OpenOfficeKey {
  if (secret.length !== OFFICE_KEY_BYTES) throw new RangeError('the key of an office has 32 bytes')
  const derived = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
  return { wrapping: derived('rubrica file keys'), naming: derived('rubrica file names') }
}

/**
 * Where a new file lies: the folder of its office, and a keyed digest of its content, so that a listing of the disk
 * does not tell which contents an office has. No two writes share a path: two processes that store one content at
 * once never write over each other, and the row decides which file counts.
 *
 * @param nonce of this write
 * @returns a path with `/`, relative to the folder of all files
 */
export function newFilePath(
  { naming }: OpenOfficeKey,
  { officeId, sha256 }: FileAddress,
  nonce: Uint8Array,
): string {
  const name = createHmac('sha256', naming).update(sha256).digest('hex')
  return `${officeId}/${name.slice(0, 2)}/${name}-${toHex(nonce.subarray(0, 8))}`
}

/** @param nonce 12 random bytes */
export const wrapFileKey = (
  { wrapping }: OpenOfficeKey,
  nonce: Uint8Array,
  fileKey: Uint8Array,
  of: FileAddress & Pick<StoredFile, 'file'>,
): Uint8Array => seal(wrapping, nonce, fileKey, placeOfFileKey(of))

/** Undefined if it was changed, moved from another row, or wrapped with another key. */
export function unwrapFileKey(
  { wrapping }: OpenOfficeKey,
  wrapped: Uint8Array,
  of: FileAddress & Pick<StoredFile, 'file'>,
): Uint8Array | undefined {
  const fileKey = unseal(wrapping, wrapped, placeOfFileKey(of))
  return fileKey?.length === FILE_KEY_BYTES ? fileKey : undefined
}
