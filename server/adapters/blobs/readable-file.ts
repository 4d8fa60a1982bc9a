import { closeSync, fstatSync, openSync } from 'node:fs'
import { fillExactly, openFile } from '#server/adapters/file-source.ts'
import { CHUNKS_KEPT, recentChunks } from '#server/adapters/recent-chunks.ts'
import {
  CHUNK_BYTES,
  chunkCount,
  openChunk,
  PAYLOAD_NONCE_BYTES,
  payloadKey,
  payloadSize,
  SEALED_CHUNK_BYTES,
} from '#server/domain/age/stream.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import { chunkStart, damageFrom } from './file-pieces.ts'

/**
 * Gives `use` the content of the file, to read anywhere. If a chunk does not open, this throws even if `use` took it
 * for a fault of the PDF.
 *
 * @throws {Problem} `stored-file-damaged`
 */
export async function withReadable<T>(
  file: ReadableFile,
  use: (source: ByteSource) => T | Promise<T>,
): Promise<T> {
  const { source, damage, close } = openReadable(file)
  try {
    const result = await use(source)
    const met = damage()
    if (met) throw met
    return result
  } catch (error) {
    throw damage() ?? error
  } finally {
    close()
  }
}

type OpenReadable = { source: ByteSource; damage(): unknown; close(): void }

function openReadable(file: ReadableFile): OpenReadable {
  if (file.fileKey) return openSealed(file, file.fileKey)
  const source = openFile(file.path)
  return { source, damage: () => undefined, close: source.close }
}

function openSealed({ path, length }: ReadableFile, fileKey: Uint8Array): OpenReadable {
  const descriptor = openSync(path, 'r')
  try {
    const size = fstatSync(descriptor).size
    if (size !== payloadSize(length))
      throw new Problem(
        'stored-file-damaged',
        `${path} has ${size} bytes, not ${payloadSize(length)}`,
      )
    const nonce = new Uint8Array(PAYLOAD_NONCE_BYTES)
    fillExactly(descriptor, nonce, 0)
    const open = chunkOpener(descriptor, { path, length, key: payloadKey(fileKey, nonce) })
    return { ...open, close: () => closeSync(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function chunkOpener(
  descriptor: number,
  { path, length, key }: { path: string; length: number; key: Uint8Array },
): Omit<OpenReadable, 'close'> {
  const last = chunkCount(length) - 1
  const sealed = new Uint8Array(SEALED_CHUNK_BYTES)
  let damage: unknown

  /** The chunk that begins at `start` in the content. */
  function load(start: number): Uint8Array {
    const index = start / CHUNK_BYTES
    const bytes = sealed.subarray(0, payloadSize(length) - chunkStart(index))
    try {
      fillExactly(descriptor, bytes, chunkStart(index))
      return openChunk(key, { index, isLast: index === last }, bytes)
    } catch (error) {
      damage ??= damageFrom(error, path)
      throw damage
    }
  }
  const recent = recentChunks(load)
  const isSmall = last < CHUNKS_KEPT

  /**
   * A parser reads in small steps near each other: of a file with more chunks than are kept, only parts of chunks are
   * kept, because the others would push them out. Of a smaller one each chunk is opened once.
   */
  function readInto(target: Uint8Array, start: number): void {
    const end = start + target.length
    mustLieIn(start, end)
    for (let at = start; at < end; ) {
      const first = at - (at % CHUNK_BYTES)
      const until = Math.min(end, first + CHUNK_BYTES)
      const isWhole = !isSmall && at === first && until - first === CHUNK_BYTES
      const chunk = isWhole ? load(first) : recent(first)
      target.set(chunk.subarray(at - first, until - first), at - start)
      at = until
    }
  }

  function mustLieIn(start: number, end: number): void {
    if (!(0 <= start && start <= end && end <= length))
      throw new RangeError(`${start}..${end} does not lie in a file of ${length} bytes`)
  }

  function read(start: number, end: number): Uint8Array {
    mustLieIn(start, end)
    if (start === end) return new Uint8Array()
    const first = start - (start % CHUNK_BYTES)
    if (end <= first + CHUNK_BYTES) return recent(first).subarray(start - first, end - first)
    const bytes = new Uint8Array(end - start)
    readInto(bytes, start)
    return bytes
  }
  return { source: { length, read, readInto }, damage: () => damage }
}
