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
 * Pieces begin and end at its multiples: what a file keeps of itself does too, so that a piece is neither read again nor
 * costs memory of its own.
 */
const PIECE = 32 << 10

export const byteReader = (source: ByteSource): ByteReader => new PieceReader(source)

/** A class, because there is one for each content stream, and each byte of a file is asked for. */
class PieceReader implements ByteReader {
  readonly length: number
  readonly repeated = nothingRepeated()
  readonly #source: ByteSource
  #piece: Uint8Array = new Uint8Array()
  #pieceStart = 0

  constructor(source: ByteSource) {
    this.#source = source
    this.length = source.length
  }

  at(position: number): number {
    const inside = position - this.#pieceStart
    const piece = this.#piece
    return inside >= 0 && inside < piece.length ? piece[inside]! : this.#fromNextPiece(position)
  }

  #fromNextPiece(position: number): number {
    if (position < 0 || position >= this.length) return -1
    const start = position - (position % PIECE)
    this.#piece = this.#source.read(start, Math.min(this.length, start + PIECE))
    this.#pieceStart = start
    return this.#piece[position - start]!
  }

  read(start: number, end: number): Uint8Array {
    return this.#source.read(start, end)
  }

  indexOf(needle: string, start: number, end: number): number {
    const stop = Math.min(end, this.length)
    const overlap = needle.length - 1
    for (let at = Math.max(0, start); at < stop; ) {
      const edge = Math.min(stop, at - (at % PIECE) + PIECE)
      const found = this.#buffer(at, edge).indexOf(needle, 0, 'latin1')
      if (found >= 0) return at + found
      // It may also lie across the edge of the piece.
      const before = Math.max(at, edge - overlap)
      const behind = Math.min(stop, edge + overlap)
      const across = this.#buffer(before, behind).indexOf(needle, 0, 'latin1')
      if (across >= 0) return before + across
      at = edge
    }
    return -1
  }

  lastIndexOf(needle: string, start: number, end: number): number {
    const first = Math.max(0, start)
    for (let stop = Math.min(end, this.length); stop > first; ) {
      // In small pieces: a search from the end usually finds its match near the end.
      const last = stop - needle.length
      const at = Math.max(first, last - (last % PIECE))
      const found = this.#buffer(at, stop).lastIndexOf(needle, undefined, 'latin1')
      if (found >= 0) return at + found
      if (at === first) return -1
      stop = at + needle.length - 1
    }
    return -1
  }

  #buffer(start: number, end: number): Buffer {
    const bytes = this.#source.read(start, end)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}
