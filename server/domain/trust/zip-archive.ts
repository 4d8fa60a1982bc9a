import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** One file of an archive. */
export type ZipEntry = { name: string; bytes: Uint8Array }

/** The bytes of an archive that one file takes, local header included: from `start` up to, not including, `end`. */
type Extent = { start: number; end: number }

const LOCAL = 0x04034b50
const MOST_ENTRIES = 500
const MOST_BYTES = 8 << 20

/** Whether a file begins like an archive. */
export const isZip = (file: Uint8Array) =>
  file.length > 22 && bufferOf(file).readUInt32LE(0) === LOCAL

/**
 * Reads all files of a small archive, stored or deflated, in the order of its central directory. Folders are
 * left out.
 *
 * @throws {RangeError} if the archive is damaged, ambiguous or encrypted, or holds more than 500 files or 8 MB
 * @see APPNOTE.TXT 6.3.10, 4.3
 */
export async function readZip(file: Uint8Array): Promise<ZipEntry[]> {
  try {
    return await filesOf(await fromBufferPromise(bufferOf(file)))
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new RangeError('an archive that cannot be read', { cause: error })
  }
}

/** yauzl checks structure, names and the length of each file; the rest is checked here. */
async function filesOf(archive: ZipFile): Promise<ZipEntry[]> {
  if (archive.entryCount > MOST_ENTRIES)
    throw new RangeError(`an archive with ${archive.entryCount} entries`)
  const files = new Map<string, Uint8Array>()
  const extents: Extent[] = []
  let bytesLeft = MOST_BYTES
  for await (const entry of archive.eachEntry()) {
    const extent = await extentOf(archive, entry)
    if (extents.some((other) => extent.start < other.end && other.start < extent.end))
      throw new RangeError('an archive with overlapping files')
    extents.push(extent)
    if (entry.fileName.endsWith('/')) continue
    if (files.has(entry.fileName)) throw new RangeError('an archive with two files of one name')
    bytesLeft -= entry.uncompressedSize
    if (bytesLeft < 0) throw new RangeError(`an archive with more than ${MOST_BYTES} bytes`)
    files.set(entry.fileName, await contentOf(archive, entry))
  }
  return [...files].map(([name, bytes]) => ({ name, bytes }))
}

async function extentOf(archive: ZipFile, entry: Entry): Promise<Extent> {
  const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true })
  return { start: entry.relativeOffsetOfLocalHeader, end: fileDataStart + entry.compressedSize }
}

/** The stream fails as soon as it exceeds the declared size, so a false size cannot exceed the limit. */
async function contentOf(archive: ZipFile, entry: Entry): Promise<Uint8Array> {
  const stream = await archive.openReadStreamPromise(entry)
  const content = new Uint8Array(Buffer.concat(await stream.toArray()))
  if (crc32(content) !== entry.crc32) throw new RangeError('an archive with a wrong checksum')
  return content
}

const bufferOf = (file: Uint8Array) => Buffer.from(file.buffer, file.byteOffset, file.byteLength)
