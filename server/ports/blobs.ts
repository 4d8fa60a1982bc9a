import type { Sha256 } from '#server/domain/ids.ts'

/** Contents of documents, each named by its SHA-256. */
export type Blobs = {
  /**
   * Streams to a temporary file, hashing on the way. Nothing can see it before `keep`.
   *
   * @param limit most bytes to take
   * @throws {Problem} `too-large`
   */
  stage(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    limit: number,
  ): Promise<StagedBlob>
  /**
   * Stages the blob `base` with `tail` behind it, durably: nothing can see it before `keep`. Its digest is what
   * `read` finds, who reads all of the file as it is on the disk; if that throws, nothing stays.
   */
  append<T extends { sha256: string }>(
    base: Sha256,
    tail: Uint8Array,
    read: (path: string) => Promise<T>,
  ): Promise<{ staged: StagedBlob; found: T }>
  /**
   * Lends the blob as a file of this machine while `use` runs.
   *
   * @throws {Error} if the blob is not there: a row points at a lost file, which is a bug or a disaster
   */
  withFile<T>(sha256: Sha256, use: (path: string) => Promise<T>): Promise<T>
  size(sha256: Sha256): Promise<number>
  /** The stretch `start`..`end` (half open) as a stream for a download. */
  stream(sha256: Sha256, start: number, end: number): ReadableStream<Uint8Array>
  /** The same for a copy: a piece is only good until the next one is asked for. */
  pieces(sha256: Sha256, start: number, end: number): AsyncIterable<Uint8Array>
}

export type StagedBlob = {
  readonly sha256: Sha256
  readonly bytes: number
  /** Readable until `keep` or `discard`. */
  readonly path: string
  /** The stretch `start`..`end` (half open); to be read before `keep` or `discard`. */
  stream(start: number, end: number): ReadableStream<Uint8Array>
  /** Durable once it returns: the file, its name and its folder are on the disk. May run twice. */
  keep(): Promise<void>
  discard(): Promise<void>
}
