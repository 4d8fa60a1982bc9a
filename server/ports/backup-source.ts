/** A file of which a copy is made. */
export type CopiedFile = {
  readonly bytes: number
  /** Exactly `bytes` bytes. @throws {Error} if the file has become shorter */
  pieces(): AsyncIterable<Uint8Array>
}

/** What an installation has beside its database. */
export type BackupSource = {
  /** The signed checkpoints of each log by the name of its file, as far as they are written now. */
  checkpoints(): Promise<Map<string, CopiedFile>>
  /** @param path below the folder of the stored files; undefined if it is not there */
  stored(path: string): Promise<CopiedFile | undefined>
  /** The keys, by the name of their file. */
  secrets(): Promise<ReadonlyMap<string, Uint8Array>>
}

/** Lines that are kept in a file while there may be millions of them. */
export type LineFile = {
  add(line: string): void
  /** Call when no line follows. */
  whole(): Promise<CopiedFile>
  lines(): AsyncIterable<string>
}
