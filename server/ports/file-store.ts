import type { Instant } from '#server/domain/time.ts'

/**
 * Where encrypted files lie under their names, which are paths with `/`. A name never gets another content, so that
 * whatever was read of it stays true, and writing it again does no harm.
 */
export type FileStore = {
  /** For the operator: a folder, or `s3://…`. */
  readonly place: string
  /** In bytes; undefined if it is missing. */
  size(name: string): Promise<number | undefined>
  /** For reading parts of it. Close it. @throws {Error} `ENOENT` */
  open(name: string): Promise<RawFile>
  /** Gives `use` the path of a local copy, which stays until `use` returns. @throws {Error} `ENOENT` */
  withLocal<T>(name: string, use: (path: string) => Promise<T>): Promise<T>
  /** Forgets the local copy, which is damaged. Returns whether the file itself lies elsewhere. */
  dropCopy(name: string): Promise<boolean>
  /** Durable under its name once it returns; then the local file is gone. Stays where it is if this throws. */
  move(path: string, name: string): Promise<void>
  /** The same, but the local file stays. */
  copy(path: string, name: string): Promise<void>
  /** Makes a file that was moved a local one again. */
  takeBack(name: string, path: string): Promise<void>
  /** Does nothing if it is gone. */
  remove(name: string): Promise<void>
  /** The files of this folder, which has no folders. */
  list(folder: string): AsyncIterable<ListedFile>
  readonly identity: StoreIdentity
}

/** Which store this is: an id in the store itself, which the database knows. */
export type StoreIdentity = {
  /** Undefined if the store has none yet. */
  read(): Promise<string | undefined>
  /** Durable once it returns. */
  write(id: string): Promise<void>
  remove(): Promise<void>
}

export type ListedFile = { readonly name: string; readonly writtenAt: Instant }

/** A stored file that is open, as its bytes lie there. */
export type RawFile = {
  /** In bytes. */
  readonly size: number
  /** In bytes: reading less at once takes as long. */
  readonly goodPiece: number
  /** Fills `target` from the offset `at`. @throws {DamagedStream} if the file ends before */
  fill(target: Uint8Array, at: number): Promise<void>
  close(): Promise<void>
}
