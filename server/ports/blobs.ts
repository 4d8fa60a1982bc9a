import type { Sha256 } from '#server/domain/ids.ts'

/** Document contents, addressed by SHA-256. */
export type Blobs = {
  /**
   * Streams to a temporary file while hashing. Not visible before `keep`.
   *
   * @param limit largest size in bytes
   * @throws {Problem} `too-large`; `verification-busy` when the files of strangers take up their share of the disk
   */
  stage(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    limit: number,
    options?: StageOptions,
  ): Promise<StagedBlob>
  /** Writes the blob `base` followed by `tail` to a temporary file, durably but not visible. */
  append(base: Sha256, tail: Uint8Array): Promise<UnnamedBlob>
  /**
   * Gives `use` the path of the blob as a local file.
   *
   * @throws {Error} if the blob is missing although a row refers to it: a bug or data loss
   */
  withFile<T>(sha256: Sha256, use: (path: string) => Promise<T>): Promise<T>
  size(sha256: Sha256): Promise<number>
  /** The bytes `start`..`end` (half open) as a stream for a download. */
  stream(sha256: Sha256, start: number, end: number): ReadableStream<Uint8Array>
  /** The same for copying: a piece is valid only until the next one is requested. */
  pieces(sha256: Sha256, start: number, end: number): AsyncIterable<Uint8Array>
}

export type StageOptions = {
  /** The file of a stranger, which is never kept: apart from the others, and within the share of all strangers. */
  isPublic?: boolean
}

/** A file whose digest is not known yet: the caller reads it anyway and computes it then. */
export type UnnamedBlob = {
  /** Readable until it is discarded, or kept under its name. */
  readonly path: string
  /** @param sha256 of the whole file */
  named(sha256: Sha256): StagedBlob
  discard(): Promise<void>
}

export type StagedBlob = {
  readonly sha256: Sha256
  readonly bytes: number
  /** Readable until `keep` or `discard`. */
  readonly path: string
  /** The bytes `start`..`end` (half open); call before `keep` or `discard`. */
  stream(start: number, end: number): ReadableStream<Uint8Array>
  /** Durable once it returns: the file, its name and its folder are synced. Idempotent. */
  keep(): Promise<void>
  discard(): Promise<void>
}
