import type { Sha256 } from '#server/domain/ids.ts'

/** Document contents, addressed by SHA-256. */
export type Blobs = {
  /**
   * Streams to a temporary file while hashing. Not visible before `keep`.
   *
   * @param limit largest size in bytes
   * @throws {Problem} `too-large`
   */
  stage(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    limit: number,
  ): Promise<StagedBlob>
  /**
   * Stages the blob `base` followed by `tail`, durably but not visible before `keep`. `read` reads the whole
   * file from the disk and computes its digest; if it throws, nothing is left.
   */
  append<T extends { sha256: string }>(
    base: Sha256,
    tail: Uint8Array,
    read: (path: string) => Promise<T>,
  ): Promise<{ staged: StagedBlob; found: T }>
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
