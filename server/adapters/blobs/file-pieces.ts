import { type FileHandle, open } from 'node:fs/promises'
import {
  CHUNK_BYTES,
  chunkCount,
  DamagedStream,
  openChunk,
  PAYLOAD_NONCE_BYTES,
  payloadKey,
  payloadSize,
  SEALED_CHUNK_BYTES,
} from '#server/domain/age/stream.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { RawFile } from '#server/ports/file-store.ts'

/** Read at once for copying. */
const MANY_CHUNKS = 8
/** Of copies that have ended, for those to come. */
const idlePieces: Uint8Array[] = []
const MOST_IDLE = 6

/** Where chunk `index` begins on the disk. */
export const chunkStart = (index: number): number =>
  PAYLOAD_NONCE_BYTES + index * SEALED_CHUNK_BYTES

/**
 * The bytes `start`..`end` of the content; a piece is valid only until the next one is requested.
 *
 * @throws {Problem} `stored-file-damaged`
 */
export async function* piecesOf(
  file: ReadableFile,
  start: number,
  end: number,
  chunksAtOnce = MANY_CHUNKS,
): AsyncGenerator<Uint8Array> {
  if (start >= end) return
  const raw = await openLocal(file.path)
  yield* piecesIn(raw, { ...file, name: file.path, start, end }, chunksAtOnce)
}

/** A stretch of the content of a stored file. */
export type Stretch = {
  /** In the store; `piecesIn`, whose file is open already, needs it for errors only. */
  name: string
  /** Of the whole content, in bytes. */
  length: number
  fileKey: Uint8Array | null
  start: number
  end: number
}

/** The bytes of the stretch, as `piecesOf` gives them, from an open file; closes it. */
export async function* piecesIn(
  raw: RawFile,
  { name, length, fileKey, start, end }: Stretch,
  chunksAtOnce = MANY_CHUNKS,
): AsyncGenerator<Uint8Array> {
  try {
    if (fileKey && raw.size !== payloadSize(length))
      throw new DamagedStream(`it has ${raw.size} bytes`)
    if (end > length) throw new RangeError(`${name} has no ${end} bytes`)
    if (start >= end) return
    const atOnce = Math.max(chunksAtOnce, Math.ceil(raw.goodPiece / SEALED_CHUNK_BYTES))
    if (fileKey) yield* openedPieces(raw, fileKey, { length, start, end }, atOnce)
    else yield* rawPieces(raw, start, end, atOnce)
  } catch (error) {
    throw damageFrom(error, name)
  } finally {
    await raw.close()
  }
}

/** A local file. @throws {Error} `ENOENT` */
export async function openLocal(path: string): Promise<RawFile> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    return {
      ...{ size, goodPiece: 1 },
      fill: (target, at) => fill(handle, target, at),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The refusal for a chunk that does not open; other errors stay as they are. */
export function damageFrom(error: unknown, path: string): unknown {
  if (!(error instanceof DamagedStream)) return error
  return new Problem('stored-file-damaged', `${path}: ${error.message}`, { cause: error })
}

async function* openedPieces(
  file: RawFile,
  fileKey: Uint8Array,
  { length, start, end }: { length: number; start: number; end: number },
  chunksAtOnce: number,
): AsyncGenerator<Uint8Array> {
  const nonce = new Uint8Array(PAYLOAD_NONCE_BYTES)
  await file.fill(nonce, 0)
  const key = payloadKey(fileKey, nonce)
  const last = chunkCount(length) - 1
  let index = Math.floor(start / CHUNK_BYTES)
  const until = Math.min(chunkStart(Math.ceil(end / CHUNK_BYTES)), payloadSize(length))
  for await (const raw of rawPieces(file, chunkStart(index), until, chunksAtOnce)) {
    for (let at = 0; at < raw.length; at += SEALED_CHUNK_BYTES) {
      const sealed = raw.subarray(at, at + SEALED_CHUNK_BYTES)
      const plain = openChunk(key, { index, isLast: index === last }, sealed)
      const from = index * CHUNK_BYTES
      yield plain.subarray(Math.max(0, start - from), end - from)
      index += 1
    }
  }
}

/** Reads on while the caller works on the piece before. All but the last have so many whole chunks. */
export async function* rawPieces(
  file: RawFile,
  start: number,
  end: number,
  chunksAtOnce = MANY_CHUNKS,
): AsyncGenerator<Uint8Array> {
  const size = chunksAtOnce * SEALED_CHUNK_BYTES
  const memory = [borrowed(size), borrowed(size)] as const
  const read = (turn: 0 | 1, at: number) => {
    if (at >= end) return undefined
    const piece = memory[turn].subarray(0, Math.min(size, end - at))
    const reading = file.fill(piece, at).then(() => piece)
    // Thrown where it is waited for.
    reading.catch(() => {})
    return reading
  }
  let turn: 0 | 1 = 0
  let reading = read(turn, start)
  try {
    for (let at = start; reading; ) {
      const piece = await reading
      at += piece.length
      turn = turn === 0 ? 1 : 0
      reading = read(turn, at)
      yield piece
    }
  } finally {
    // The caller closes the file: no reading may be under way then.
    await reading?.catch(() => {})
    for (const one of memory) if (idlePieces.length < MOST_IDLE) idlePieces.push(one)
  }
}

function borrowed(size: number): Uint8Array {
  const known = idlePieces.findIndex(({ length }) => length === size)
  return known === -1 ? new Uint8Array(size) : idlePieces.splice(known, 1)[0]!
}

/** @throws {DamagedStream} if the file ends before */
async function fill(handle: FileHandle, target: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await handle.read(target, done, target.length - done, at + done)
    if (bytesRead === 0) throw new DamagedStream(`it ends at ${at + done}`)
    done += bytesRead
  }
}

/** The same as a stream; nothing is open before it is read. */
export function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        // A copy: the next piece may take its place before this one is sent.
        else controller.enqueue(value.slice())
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
