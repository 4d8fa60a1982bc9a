import type { FileAddress, StoredFile } from '#server/domain/documents/stored-file.ts'
import type { OfficeId, Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Document contents of each office, addressed by SHA-256. Every file is encrypted with a key of its own, also while it
 * is not kept yet. Reading throws {Problem} `stored-file-damaged` if the bytes on the disk are not those that were
 * written.
 */
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
  /** Writes the blob `base` followed by `tail` to a temporary file, which is not visible. */
  append(base: FileAddress, tail: Uint8Array): Promise<UnnamedBlob>
  /**
   * Gives `use` the blob as a local file. `use` only reads: if a local copy is damaged, it is called again with a better one.
   *
   * @throws {Error} if the blob is missing although a row refers to it: a bug or data loss
   */
  withFile<T>(address: FileAddress, use: (file: ReadableFile) => Promise<T>): Promise<T>
  size(address: FileAddress): Promise<number>
  /** The bytes `start`..`end` (half open) as a stream for a download. */
  stream(address: FileAddress, start: number, end: number): ReadableStream<Uint8Array>
  /** The same for copying: a piece is valid only until the next one is requested. */
  pieces(address: FileAddress, start: number, end: number): AsyncIterable<Uint8Array>
  /** Removes an encrypted file that no row names any more. Does nothing if it is gone. @param file as in `StoredFile` */
  remove(file: string): Promise<void>
  readonly plain: PlainBlobs
  readonly parts: PartFiles
}

/** Files of releases before 0029, which did not encrypt. Until the job has run over all, they are read as they are. */
export type PlainBlobs = {
  /** Their digests, in order. */
  list(): AsyncIterable<Sha256>
  /** Durable once it returns. Leaves the plain file; does nothing if the office has the encrypted one. */
  encrypt(address: FileAddress): Promise<void>
  remove(sha256: Sha256): Promise<void>
}

/**
 * The parts of files on their way, each an encrypted file of its own: any process that shares the store may go on where another
 * stopped. Not documents: they are removed when the upload is over.
 */
export type PartFiles = {
  /**
   * Durable once it returns. Leaves nothing when it throws; a crash leaves a file without a row.
   *
   * @param keyOf the key of the file of this name
   * @param limit in bytes
   * @throws {Problem} `too-large`
   */
  write(
    chunks: AsyncIterable<Uint8Array>,
    limit: number,
    keyOf: (file: string) => Uint8Array,
  ): Promise<PartFile & { sha256: Sha256 }>
  /** A piece is valid only until the next one is requested. @throws {Problem} `stored-file-damaged`, also if it is gone */
  pieces(part: PartFile, fileKey: Uint8Array): AsyncIterable<Uint8Array>
  /** Does nothing if it is gone. */
  remove(file: string): Promise<void>
  /** Removes what was written before `limit`: no row needs it any more. */
  clear(limit: Instant): Promise<void>
}

export type PartFile = {
  /** Its name. */
  readonly file: string
  /** Of the content. */
  readonly bytes: number
}

/** A local file and the key of this file alone. May be sent to a worker. */
export type ReadableFile = {
  readonly path: string
  /** Size of the content in bytes. */
  readonly length: number
  /** 16 bytes; null if the file lies there as it is. */
  readonly fileKey: Uint8Array | null
}

export type StageOptions = {
  /** The file of a stranger, which is never kept: apart from the others, and within the share of all strangers. */
  isPublic?: boolean
}

/** A file whose digest is not known yet: the caller reads it anyway and computes it then. */
export type UnnamedBlob = {
  /** Readable until it is discarded, or kept under its name. */
  readonly file: ReadableFile
  /** @param sha256 of the whole file */
  named(sha256: Sha256): StagedBlob
  discard(): Promise<void>
}

export type StagedBlob = {
  readonly sha256: Sha256
  readonly bytes: number
  /** Readable until `keep` or `discard`. */
  readonly file: ReadableFile
  /** The bytes `start`..`end` (half open); call before `keep` or `discard`. */
  stream(start: number, end: number): ReadableStream<Uint8Array>
  /**
   * Durable once it returns: the file, its name, its folder and the row with its key. Repeated, it stores the file
   * again if another one with the same content was there before and is gone.
   */
  keep(officeId: OfficeId): Promise<void>
  /**
   * The same without the row, which the caller writes in the transaction that refers to the content. Undefined if the
   * office has the content already.
   */
  place(officeId: OfficeId): Promise<PlacedBlob | undefined>
  discard(): Promise<void>
}

/** A durable file under its name, which nothing can read without its row. A crash before the row leaves litter. */
export type PlacedBlob = {
  readonly row: StoredFile
  /** Call if the row was certainly not written: then `discard` removes the file. */
  takeBack(): Promise<void>
}
