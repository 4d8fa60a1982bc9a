import type { OfficeId, OfficeKeyId, Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** The folder of the parts of uploads, in the store of the files. */
export const PARTS_FOLDER = 'incoming/uploads'

/** Names a stored file: an office keeps each content once. */
export type FileAddress = { readonly officeId: OfficeId; readonly sha256: Sha256 }

/** Where an encrypted file lies, and its key. */
export type StoredFile = FileAddress & {
  /** Path below the folder of all files, with `/`. */
  readonly file: string
  /** Size of the plaintext. */
  readonly bytes: number
  /** The key of the office that wraps the key of the file. */
  readonly officeKeyId: OfficeKeyId
  readonly wrappedKey: Uint8Array
  readonly storedAt: Instant
}

/** A key of an office, sealed by the vault at `placeOfOfficeKey`. It wraps the keys of files. */
export type OfficeKey = {
  readonly id: OfficeKeyId
  readonly officeId: OfficeId
  /** Counts from 1; the highest of the office wraps new keys. */
  readonly number: number
  readonly madeAt: Instant
  readonly sealed: { readonly keyVersion: number; readonly bytes: Uint8Array }
}

export const placeOfOfficeKey = ({ id, officeId }: Pick<OfficeKey, 'id' | 'officeId'>) =>
  `office_keys.sealed_key:${officeId}/${id}`

/** Where releases before 0029 kept a file, below the folder of all files, with `/`: `ab/cd/abcd…`. */
export const plainPathOf = (sha256: Sha256): string =>
  `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`

/** Binds a wrapped key to its row: it opens nowhere else. */
export const placeOfFileKey = ({
  officeId,
  sha256,
  file,
}: Pick<StoredFile, 'officeId' | 'sha256' | 'file'>) =>
  `stored_files.wrapped_key:${officeId}/${sha256}/${file}`
