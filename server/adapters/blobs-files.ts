import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { hours } from '#server/domain/time.ts'
import type { Blobs, StagedBlob } from '#server/system.ts'

/**
 * Blobs as files of `folder`, named by their SHA-256: `ab/cd/abcd….` A blob appears by a rename, so that
 * nobody ever sees half of one. If we crash before it, a file in `incoming/` stays behind, which the
 * next start takes away.
 */
export async function createFileBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true })
  await clearStale(incoming)
  const pathOf = (sha256: Sha256) =>
    join(folder, sha256.slice(0, 2), sha256.slice(2, 4), Sha256.parse(sha256))

  return {
    async stage(chunks, limit) {
      const path = join(incoming, randomUUID())
      const file = await open(path, 'wx', 0o600)
      try {
        const { sha256, bytes } = await writeAll(file, chunks, limit)
        await file.sync()
        await file.close()
        return stagedBlob(path, pathOf(sha256), sha256, bytes)
      } catch (error) {
        await file.close().catch(() => {})
        await rm(path, { force: true })
        throw error
      }
    },
    async withFile(sha256, use) {
      const path = pathOf(sha256)
      await stat(path)
      return await use(path)
    },
    async size(sha256) {
      return (await stat(pathOf(sha256))).size
    },
    stream: (sha256, start, end) => streamOf(pathOf(sha256), start, end),
  }
}

function streamOf(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  if (start >= end) return new Blob([]).stream()
  const file = createReadStream(path, { start, end: end - 1 })
  return Readable.toWeb(file) as ReadableStream<Uint8Array>
}

async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<{ sha256: Sha256; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limit) throw new Problem('too-large', `more than ${limit} bytes`)
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  return { sha256: Sha256.parse(hash.digest('hex')), bytes }
}

function stagedBlob(from: string, to: string, sha256: Sha256, bytes: number): StagedBlob {
  let isKept = false
  return {
    sha256,
    bytes,
    path: from,
    stream: (start, end) => streamOf(from, start, end),
    async keep() {
      if (isKept) return
      await mkdir(dirname(to), { recursive: true })
      // Over an equal blob this changes nothing but the inode: the contents are the same by name.
      await rename(from, to)
      await syncFolder(dirname(to))
      await syncFolder(dirname(dirname(to)))
      await syncFolder(dirname(dirname(dirname(to))))
      isKept = true
    },
    async discard() {
      if (!isKept) await rm(from, { force: true })
    },
  }
}

/* Without it the name may be gone after a power cut although the bytes are on the disk. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; NTFS keeps names in its journal.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/* Another process may be writing: only what nobody touched for an hour is litter. */
async function clearStale(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > hours(1)) await rm(path, { force: true })
  }
}
