import { type ByteSource, concatBytes } from '#server/domain/bytes.ts'

/** A file with more bytes at its end, without a copy of the file. */
export function joinedSource(base: ByteSource, more: Uint8Array): ByteSource {
  const length = base.length + more.length
  return {
    length,
    read(start, end) {
      if (end <= base.length) return base.read(start, end)
      const tail = more.subarray(Math.max(0, start - base.length), end - base.length)
      return start >= base.length ? tail : concatBytes(base.read(start, base.length), tail)
    },
  }
}
