import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { BecameShorter } from './became-shorter.ts'

/** What is under way at once costs two buffers each; more do not make it faster. */
const PIECE = 1 << 20
const PIECES_AT_ONCE = 4

type Buffers = { original: Buffer; copy: Buffer }

/** So much is written between two wishes that it be on the disk, so that in the end little is left to wait for. */
const BYTES_PER_FLUSH = 16 << 20

/**
 * Copies the first `length` bytes and reads each piece back from where it was written. The system's threads
 * copy while this one digests.
 *
 * @returns SHA-256, running, of what was read back
 * @throws {BecameShorter}
 * @throws {Error} when something else was read than was written
 */
export async function copyAndReadBack(
  from: FileHandle,
  to: FileHandle,
  length: number,
): Promise<Hash> {
  const flushes = flushesOf(to)
  let written: Promise<void> = Promise.resolve()
  try {
    return await digestPieces(length, async ({ original, copy }, at) => {
      await fill(from, original, at)
      // One after the other: threads that write into the same file only wait for each other, and not idly.
      written = written.then(() => writeAll(to, original, at))
      await written
      flushes.wrote(original.length)
      await fill(to, copy, at)
      if (!original.equals(copy))
        throw new Error('the disk gives back other bytes than it was given')
    })
  } finally {
    await flushes.end()
  }
}

/** The same for what lies there already. */
export const readBack = (file: FileHandle, length: number): Promise<Hash> =>
  digestPieces(length, ({ copy }, at) => fill(file, copy, at))

async function digestPieces(
  length: number,
  pass: (piece: Buffers, at: number) => Promise<void>,
): Promise<Hash> {
  const hash = createHash('sha256')
  const idle = Array.from({ length: PIECES_AT_ONCE }, () => newBuffers(Math.min(PIECE, length)))
  const passing: { copy: Buffer; buffers: Buffers; passed: Promise<void> }[] = []
  const takeFirst = async () => {
    const first = passing.shift()
    if (!first) return
    await first.passed
    hash.update(first.copy)
    idle.push(first.buffers)
  }
  try {
    for (let at = 0; at < length; at += PIECE) {
      if (idle.length === 0) await takeFirst()
      const buffers = idle.pop() as Buffers
      const size = Math.min(PIECE, length - at)
      const piece = {
        original: buffers.original.subarray(0, size),
        copy: buffers.copy.subarray(0, size),
      }
      const passed = pass(piece, at)
      // Told when it is its turn.
      passed.catch(() => {})
      passing.push({ copy: piece.copy, buffers, passed })
    }
    while (passing.length > 0) await takeFirst()
    return hash
  } finally {
    // The caller closes the files: no piece may still be under way then.
    await Promise.allSettled(passing.map(({ passed }) => passed))
  }
}

/** Collects the failures of flushes: the disk reports each of them only once. */
function flushesOf(file: FileHandle) {
  let unasked = 0
  let flush: Promise<void> | undefined
  const failures: unknown[] = []
  return {
    wrote(bytes: number): void {
      unasked += bytes
      if (flush || unasked < BYTES_PER_FLUSH) return
      unasked = 0
      flush = file
        .datasync()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          flush = undefined
        })
    },
    /** @throws what the disk said */
    async end(): Promise<void> {
      await flush
      if (failures.length > 0) throw failures[0]
    },
  }
}

const newBuffers = (size: number): Buffers => ({
  original: Buffer.allocUnsafeSlow(size),
  copy: Buffer.allocUnsafeSlow(size),
})

async function fill(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) throw new BecameShorter(start + bytes.length)
    done += bytesRead
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done)
    done += bytesWritten
  }
}
