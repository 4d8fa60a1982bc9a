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
