import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import {
  CHUNK_BYTES,
  chunker,
  FILE_KEY_BYTES,
  PAYLOAD_NONCE_BYTES,
  payloadKey,
  SEALED_CHUNK_BYTES,
  sealChunkInto,
} from '#server/domain/age/stream.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/** An encrypted file that was written, and whose key is in memory only. */
export type SealedFile = {
  readonly path: string
  /** Settles when all bytes are on the disk; rejects if they may not be. Others may read the file before. */
  readonly durable: Promise<void>
  /** Of the plaintext. */
  readonly bytes: number
  readonly fileKey: Uint8Array
  readonly nonce: Uint8Array
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Encrypts to a new file with a new key. Leaves no file when it throws. A crash leaves a file whose key is gone.
 * Returns when the bytes are written; the disk has them when `durable` settles.
 *
 * @param limit of the plaintext, in bytes
 * @param fileKey a new one by default; the same never twice
 * @throws {Problem} `too-large`
 */
export async function writeHashed(
  path: string,
  chunks: Chunks,
  limit: number,
  fileKey?: Uint8Array,
): Promise<SealedFile & { sha256: Sha256 }> {
  const hash = createHash('sha256')
  let bytes = 0
  const watch = (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes > limit) throw new Problem('too-large', `more than ${limit} bytes`)
    hash.update(piece)
  }
  const sealed = await writeSealed(path, chunks, watch, fileKey)
  return { ...sealed, sha256: Sha256.parse(hash.digest('hex')) }
}

/** The same without a digest. @param watch sees each piece before it is encrypted */
export async function writeSealed(
  path: string,
  chunks: Chunks,
  watch: (piece: Uint8Array) => void = () => {},
  fileKey: Uint8Array = new Uint8Array(randomBytes(FILE_KEY_BYTES)),
): Promise<SealedFile> {
  const file = await open(path, 'wx', 0o600)
  try {
    const nonce = new Uint8Array(randomBytes(PAYLOAD_NONCE_BYTES))
    const bytes = await sealInto(file, chunks, { fileKey, nonce, watch })
    return { path, bytes, fileKey, nonce, durable: syncAndClose(file) }
  } catch (error) {
    await file.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
}

/* The caller goes on meanwhile: the disk is often slower than reading what was written. */
function syncAndClose(file: FileHandle): Promise<void> {
  const durable = file.sync().finally(() => file.close())
  // Thrown where it is waited for; a file that is discarded need not be on the disk.
  durable.catch(() => {})
  return durable
}

/** What is written at once. */
const CHUNKS_AT_ONCE = 8
const ROOM = PAYLOAD_NONCE_BYTES + CHUNKS_AT_ONCE * SEALED_CHUNK_BYTES
const idle: Uint8Array[] = []
const MOST_IDLE = 4

/** Encrypts some chunks while the disk writes those before. */
async function sealInto(
  file: FileHandle,
  chunks: Chunks,
  {
    fileKey,
    nonce,
    watch,
  }: Pick<SealedFile, 'fileKey' | 'nonce'> & { watch: (piece: Uint8Array) => void },
): Promise<number> {
  const key = payloadKey(fileKey, nonce)
  let [filling, other] = [idle.pop() ?? new Uint8Array(ROOM), idle.pop() ?? new Uint8Array(ROOM)]
  filling.set(nonce)
  let filled = nonce.length
  let bytes = 0
  const sealer = chunker(CHUNK_BYTES, (place, plain) => {
    filled += sealChunkInto(filling.subarray(filled), key, place, plain)
  })
  let writing = Promise.resolve()
  async function flush(): Promise<void> {
    await writing
    writing = writeAll(file, filling.subarray(0, filled))
    // Thrown where it is waited for.
    writing.catch(() => {})
    ;[filling, other] = [other, filling]
    filled = 0
  }
  const isFull = () => filled + SEALED_CHUNK_BYTES > ROOM
  try {
    for await (const piece of chunks) {
      bytes += piece.length
      watch(piece)
      for (let at = 0; at < piece.length; at += CHUNK_BYTES) {
        if (isFull()) await flush()
        sealer.update(piece.subarray(at, at + CHUNK_BYTES))
      }
    }
    if (isFull()) await flush()
    sealer.final()
    await flush()
  } finally {
    await writing
    if (idle.length < MOST_IDLE) idle.push(filling, other)
  }
  return bytes
}

async function writeAll(file: FileHandle, buffer: Uint8Array): Promise<void> {
  for (let done = 0; done < buffer.length; )
    done += (await file.write(buffer, done, buffer.length - done)).bytesWritten
}
