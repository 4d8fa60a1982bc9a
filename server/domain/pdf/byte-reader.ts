import type { ByteSource } from '#server/domain/bytes.ts'
import { nothingRepeated, type Repeated } from './repeated.ts'

/** Looks at single bytes of a file; holds one piece of it at a time. */
export type ByteReader = {
  readonly length: number
  /** What values that were read here repeat. */
  readonly repeated: Repeated
  /** The byte at `position`, or -1 outside the file. */
  at(position: number): number
  /** A stretch that lies in the file. */
  read(start: number, end: number): Uint8Array
  /** The position of `needle` in `start`..`end`, or -1. */
  indexOf(needle: string, start: number, end: number): number
  /** The last position of `needle` that lies wholly in `start`..`end`, or -1. */
  lastIndexOf(needle: string, start: number, end: number): number
}

/**
 * Pieces end at its multiples: what a file keeps of itself does too, so that a piece is neither read again nor costs
 * memory of its own.
 */
const PIECE = 32 << 10

export function byteReader(source: ByteSource): ByteReader {
  let piece: Uint8Array = new Uint8Array()
  let pieceStart = 0
  const asBuffer = (start: number, end: number) => {
    const bytes = source.read(start, end)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  return {
    length: source.length,
    repeated: nothingRepeated(),
    at(position) {
      const inside = position - pieceStart
      if (inside >= 0 && inside < piece.length) return piece[inside]!
      if (position < 0 || position >= source.length) return -1
      // A little before the position too: readers step back over white space and numbers.
      pieceStart = Math.max(0, position - 64)
      piece = source.read(
        pieceStart,
        Math.min(source.length, position - (position % PIECE) + PIECE),
      )
      return piece[position - pieceStart]!
    },
    read: (start, end) => source.read(start, end),
    indexOf(needle, start, end) {
      const stop = Math.min(end, source.length)
      const overlap = needle.length - 1
      for (let at = Math.max(0, start); at < stop; ) {
        const edge = Math.min(stop, at - (at % PIECE) + PIECE)
        const found = asBuffer(at, edge).indexOf(needle, 0, 'latin1')
        if (found >= 0) return at + found
        // It may also lie across the edge of the piece.
        const before = Math.max(at, edge - overlap)
        const across = asBuffer(before, Math.min(stop, edge + overlap)).indexOf(needle, 0, 'latin1')
        if (across >= 0) return before + across
        at = edge
      }
      return -1
    },
    lastIndexOf(needle, start, end) {
      const first = Math.max(0, start)
      for (let stop = Math.min(end, source.length); stop > first; ) {
        // In small pieces: a search from the end usually finds its match near the end.
        const last = stop - needle.length
        const at = Math.max(first, last - (last % PIECE))
        const found = asBuffer(at, stop).lastIndexOf(needle, undefined, 'latin1')
        if (found >= 0) return at + found
        if (at === first) return -1
        stop = at + needle.length - 1
      }
      return -1
    },
  }
}
