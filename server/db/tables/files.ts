import type { Instant } from '#server/domain/time.ts'

export type OfficeKeyRow = {
  id: string
  office_id: string
  /** Counts from 1 in each office; the highest is the one in use. */
  number: number
  made_at: Instant
  /** Of the vault. */
  key_version: number
  sealed_key: Uint8Array
}

export type StoredFileRow = {
  office_id: string
  /** Of the plaintext. */
  sha256: string
  /** Path below the folder of the blobs. */
  file: string
  /** Size of the plaintext. */
  bytes: number
  office_key_id: string
  wrapped_key: Uint8Array
  stored_at: Instant
}

/** A file that no row names any more, until it is removed. */
export type UnneededFileRow = {
  /** Path below the folder of the blobs. */
  file: string
  since: Instant
}

export type ResumableUploadRow = {
  id: string
  office_id: string
  user_id: string
  file_name: string
  bytes: number
  /** Of the file on the machine of the user. */
  modified_at: Instant
  /** Of the vault. */
  key_version: number
  sealed_key: Uint8Array
  created_at: Instant
  expires_at: Instant
  /** Null until it is finished. */
  document_id: string | null
}

export type ResumableUploadPartRow = {
  upload_id: string
  place: number
  bytes: number
  sha256: string
  file: string
}
