/** A file of an archive. */
export type ArchiveEntry = {
  readonly name: string
  readonly bytes: number
  /** Exactly `bytes` bytes, to be read once. */
  readonly pieces: AsyncIterable<Uint8Array>
}
