import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import {
  FILE_KEY_BYTES,
  PAYLOAD_NONCE_BYTES,
  payloadKey,
  streamSealer,
} from '#server/domain/age/stream.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/** An encrypted file that is durable, and whose key is in memory only. */
export type SealedFile = {
  readonly path: string
  /** Of the plaintext. */
  readonly bytes: number
  readonly fileKey: Uint8Array
  readonly nonce: Uint8Array
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Encrypts to a new file with a new key. Leaves no file when it throws. A crash leaves a file that nobody can read.
 *
 * @param limit of the plaintext, in bytes
 * @throws {Problem} `too-large`
 */
export async function writeHashed(
  path: string,
  chunks: Chunks,
  limit: number,
): Promise<SealedFile & { sha256: Sha256 }> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted() {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > limit) throw new Problem('too-large', `more than ${limit} bytes`)
      hash.update(chunk)
      yield chunk
    }
  }
  const sealed = await writeSealed(path, counted())
  return { ...sealed, sha256: Sha256.parse(hash.digest('hex')) }
}

/** The same for content whose digest somebody else computes. */
export async function writeSealed(path: string, chunks: Chunks): Promise<SealedFile> {
  const file = await open(path, 'wx', 0o600)
  try {
    const fileKey = new Uint8Array(randomBytes(FILE_KEY_BYTES))
    const nonce = new Uint8Array(randomBytes(PAYLOAD_NONCE_BYTES))
    const bytes = await sealInto(file, chunks, { fileKey, nonce })
    await file.sync()
    await file.close()
    return { path, bytes, fileKey, nonce }
  } catch (error) {
    await file.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
}

/** Encrypts a chunk while the disk writes the one before. */
async function sealInto(
  file: FileHandle,
  chunks: Chunks,
  { fileKey, nonce }: Pick<SealedFile, 'fileKey' | 'nonce'>,
): Promise<number> {
  const sealer = streamSealer(payloadKey(fileKey, nonce))
  let bytes = 0
  let writing: Promise<void> = Promise.resolve()
  const write = async (buffers: readonly Uint8Array[]) => {
    await writing
    writing = writeAll(file, buffers)
    // Thrown where it is waited for.
    writing.catch(() => {})
  }
  try {
    await write([nonce])
    for await (const chunk of chunks) {
      bytes += chunk.length
      const sealed = sealer.update(chunk)
      if (sealed.length > 0) await write(sealed)
    }
    await write([sealer.final()])
  } finally {
    await writing
  }
  return bytes
}

async function writeAll(file: FileHandle, buffers: readonly Uint8Array[]): Promise<void> {
  for (const buffer of buffers)
    for (let done = 0; done < buffer.length; )
      done += (await file.write(buffer, done, buffer.length - done)).bytesWritten
}
