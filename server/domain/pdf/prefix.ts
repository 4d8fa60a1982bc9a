import type { ByteSource } from '#server/domain/bytes.ts'

/** The first `length` bytes of a file as a file: what a signer had before later revisions were appended. */
export function prefixSource(source: ByteSource, length: number): ByteSource {
  return {
    length,
    read(start, end) {
      if (end > length) throw new RangeError(`${end} lies behind the first ${length} bytes`)
      return source.read(start, end)
    },
  }
}
