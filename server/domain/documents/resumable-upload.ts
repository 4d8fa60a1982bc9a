import { createHmac } from 'node:crypto'
import { FILE_KEY_BYTES } from '#server/domain/age/stream.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { DocumentId, OfficeId, Sha256, UploadId, UserId } from '#server/domain/ids.ts'
import { hours, type Instant } from '#server/domain/time.ts'
import type { FileName } from './file-name.ts'

/** A file is sent in parts of this size, each a request: one that breaks loses at most this much. */
export const PART_BYTES = 2 * 1024 * 1024

/** After it began; then its bytes are removed. */
export const UPLOAD_LIFE = hours(24)

/** Unfinished ones of a user; the next one takes the place of the oldest. */
export const MOST_OF_USER = 10
/** Unfinished ones of an office. */
export const MOST_OF_OFFICE = 200

/** A file on its way. Only its user sees it, in any session and through any process. */
export type ResumableUpload = {
  id: UploadId
  officeId: OfficeId
  userId: UserId
  fileName: FileName
  /** Size of the whole file. */
  bytes: number
  /** As the browser tells it; with name and size it finds the upload of a file that is chosen again. */
  modifiedAt: Instant
  /** 32 random bytes, of which the keys of its parts are derived. */
  sealed: { keyVersion: number; bytes: Uint8Array }
  createdAt: Instant
  expiresAt: Instant
  /** Null until it is finished. */
  documentId: DocumentId | null
}

export type UploadPart = {
  /** Counts from 0. */
  place: number
  bytes: number
  sha256: Sha256
  /** Name of its encrypted file, different for each write. */
  file: string
}

export const UPLOAD_KEY_BYTES = 32

/** The vault's place name for the key of this upload. */
export const placeOfUploadKey = (id: UploadId) => `resumable_uploads.sealed_key:${id}`

/** No two writes have one key: the name of the file is new in each. */
export const keyOfPart = (uploadKey: Uint8Array, file: string): Uint8Array =>
  new Uint8Array(createHmac('sha256', uploadKey).update(file).digest().subarray(0, FILE_KEY_BYTES))

const partCount = (bytes: number): number => Math.ceil(bytes / PART_BYTES)

/** Size of the part at `place`; undefined if the file has none there. */
export function sizeOfPart(bytes: number, place: number): number | undefined {
  const size = Math.min(PART_BYTES, bytes - place * PART_BYTES)
  return place >= 0 && size > 0 ? size : undefined
}

/** Whether all parts are there, in order. */
export const isWhole = (bytes: number, parts: readonly UploadPart[]): boolean =>
  parts.length === partCount(bytes) &&
  parts.every((part, place) => part.place === place && part.bytes === sizeOfPart(bytes, place))

/** What the page computes, too, so that a file is never made of the parts of two. */
export const digestOfParts = (parts: readonly Pick<UploadPart, 'sha256'>[]): Sha256 =>
  sha256(parts.map((part) => part.sha256).join(''))
