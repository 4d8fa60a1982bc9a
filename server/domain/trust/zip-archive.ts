import { inflateRawSync } from 'node:zlib'

/** One file of an archive. */
export type ZipEntry = { name: string; bytes: Uint8Array }

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const MOST_ENTRIES = 500
const MOST_BYTES = 8 << 20
/** The end record stands in front of a comment of at most this many bytes. */
const LONGEST_COMMENT = 0xffff

/** Whether a file begins like an archive. */
export const isZip = (file: Uint8Array) =>
  file.length > 22 && viewOf(file).getUint32(0, true) === LOCAL

/**
 * The files of a small archive, stored or deflated, as its central directory lists them. Folders have no
 * bytes and are left out.
 *
 * @throws {RangeError} if it is damaged, encrypted, or holds more than 500 files or 8 MB
 * @see APPNOTE.TXT 6.3.10, 4.3
 */
export function readZip(file: Uint8Array): ZipEntry[] {
  const view = viewOf(file)
  const end = endRecordOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > MOST_ENTRIES) throw new RangeError(`${count} files in an archive`)
  const entries: ZipEntry[] = []
  let at = view.getUint32(end + 16, true)
  let bytesLeft = MOST_BYTES
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new RangeError('no central directory')
    const nameLength = view.getUint16(at + 28, true)
    const name = textOf(file.subarray(at + 46, at + 46 + nameLength))
    if (!name.endsWith('/')) {
      const bytes = contentOf(file, view, at, bytesLeft)
      bytesLeft -= bytes.length
      entries.push({ name, bytes })
    }
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function endRecordOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - LONGEST_COMMENT)
  for (let at = view.byteLength - 22; at >= first; at--)
    if (view.getUint32(at, true) === END) return at
  throw new RangeError('no end of an archive')
}

const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

function contentOf(file: Uint8Array, view: DataView, entry: number, most: number): Uint8Array {
  const method = view.getUint16(entry + 10, true)
  const size = view.getUint32(entry + 20, true)
  const local = view.getUint32(entry + 42, true)
  if (view.getUint16(entry + 8, true) & ENCRYPTED) throw new RangeError('an encrypted archive')
  if (view.getUint32(local, true) !== LOCAL) throw new RangeError('a file that is not there')
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = file.subarray(start, start + size)
  if (packed.length !== size || view.getUint32(entry + 24, true) > most)
    throw new RangeError('an archive that is too large or cut off')
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new RangeError(`compression method ${method}`)
  return inflate(packed, most)
}

function inflate(packed: Uint8Array, most: number): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }))
  } catch (error) {
    throw new RangeError('a file of the archive cannot be unpacked', { cause: error })
  }
}

const viewOf = (file: Uint8Array) => new DataView(file.buffer, file.byteOffset, file.byteLength)

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
