import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A part of a gzip stream that was compressed separately. */
export type Piece = { plain: Buffer; deflated: Buffer }

type DeflateOptions = {
  level: number
  /** The text before the piece that it may refer back to; none by default. */
  before?: Buffer
}

/** The deflate window: how far back a reference may reach. @see RFC 1951, 3.2.5 */
const WINDOW_BYTES = 32_768

/** Deflate blocks that end on a byte boundary, by an empty stored block. @see RFC 1951, 3.2 */
export function deflatedPiece(plain: Buffer, { level, before }: DeflateOptions): Piece {
  // Without text there is no block; a compressor would be set up for nothing.
  if (plain.length === 0) return { plain, deflated: plain }
  const dictionary = before?.subarray(-WINDOW_BYTES)
  const finishFlush = constants.Z_SYNC_FLUSH
  const options = { level, finishFlush, ...(dictionary?.length && { dictionary }) }
  return { plain, deflated: deflateRawSync(plain, options) }
}

/** A text in stored blocks, without compression. @see RFC 1951, 3.2.4 */
export function storedPiece(text: string): Piece {
  const plain = Buffer.from(text)
  const header = Buffer.alloc(5)
  header.writeUInt16LE(plain.length, 1)
  header.writeUInt16LE(plain.length ^ 0xffff, 3)
  return { plain, deflated: Buffer.concat([header, plain]) }
}

/** No file name, no time, unknown system. @see RFC 1952, 2.3 */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** The final, empty block. @see RFC 1951, 3.2.6 */
const END = Buffer.from([3, 0])

/** Joins the pieces into one gzip stream. */
export function gzipped(pieces: readonly Piece[]): Buffer<ArrayBuffer> {
  let [check, length] = [0, 0]
  for (const { plain } of pieces) {
    check = crc32(plain, check)
    length += plain.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(check, 0)
  trailer.writeUInt32LE(length, 4)
  return Buffer.concat([HEADER, ...pieces.map(({ deflated }) => deflated), END, trailer])
}
