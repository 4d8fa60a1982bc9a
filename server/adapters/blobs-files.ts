import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { hours } from '#server/domain/time.ts'
import type { Blobs, StagedBlob } from '#server/ports/blobs.ts'
import { createPublicShare, PUBLIC_SHARE } from './public-share.ts'

/**
 * Blobs as files of `folder`, named by their SHA-256: `ab/cd/abcd….` A blob appears by a rename, so that
 * no reader ever sees half of one. If we crash before it, a file stays behind in `incoming/`, which the next
 * start removes.
 *
 * @param publicShare how many bytes the files of strangers may take up at once, in `incoming/public/`
 */
export async function createFileBlobs(folder: string, publicShare = PUBLIC_SHARE): Promise<Blobs> {
  const incoming = join(folder, 'incoming')
  const incomingPublic = join(incoming, 'public')
  await mkdir(incoming, { recursive: true })
  for (const place of [incoming, incomingPublic]) await clearStale(place)
  const share = createPublicShare(publicShare)
  const shelves = shelvesOf(folder)
  const pathOf = (sha256: Sha256) =>
    join(folder, sha256.slice(0, 2), sha256.slice(2, 4), Sha256.parse(sha256))

  return {
    async stage(chunks, limit, { isPublic = false } = {}) {
      const place = isPublic ? incomingPublic : incoming
      if (isPublic) await mkdir(place, { recursive: true })
      const path = join(place, randomUUID())
      const taken = isPublic ? share.take() : undefined
      const file = await open(path, 'wx', 0o600)
      try {
        const counted = taken ? taken.counting(chunks) : chunks
        const { sha256, bytes } = await writeAll(file, counted, limit)
        await file.sync()
        await file.close()
        const staged = stagedBlob({ path, sha256, bytes }, () =>
          shelves.place(path, pathOf(sha256)),
        )
        return taken ? taken.givenBackBy(staged) : staged
      } catch (error) {
        await file.close().catch(() => {})
        await rm(path, { force: true })
        taken?.giveBack()
        throw error
      }
    },
    async append(base, tail) {
      const path = join(incoming, randomUUID())
      try {
        // The system copies, or the disk shares what it can: the bytes never come here.
        await copyFile(pathOf(base), path, COPYFILE_EXCL | COPYFILE_FICLONE)
        const bytes = await extend(path, tail)
        const named = (sha256: Sha256) =>
          stagedBlob({ path, sha256, bytes }, () => shelves.place(path, pathOf(sha256)))
        return { path, named, discard: () => rm(path, { force: true }) }
      } catch (error) {
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
    pieces: (sha256, start, end) => piecesOf(pathOf(sha256), start, end),
  }
}

const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants

const PIECE = 1 << 19
/** Of copies that have ended, for those to come. */
const idlePieces: Uint8Array[] = []
const MOST_IDLE = 4

/** Reads on while the caller works on the piece before. */
async function* piecesOf(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const memory = [borrowed(), borrowed()] as const
  const file = await open(path, 'r')
  const read = (turn: 0 | 1, at: number) => {
    const reading = at < end ? file.read(memory[turn], 0, Math.min(PIECE, end - at), at) : undefined
    // Thrown where it is waited for.
    reading?.catch(() => {})
    return reading
  }
  let turn: 0 | 1 = 0
  let reading = read(turn, start)
  try {
    for (let at = start; reading; ) {
      const { bytesRead } = await reading
      if (bytesRead === 0) throw new Error(`${path} has no ${end} bytes`)
      const piece = memory[turn].subarray(0, bytesRead)
      at += bytesRead
      turn = turn === 0 ? 1 : 0
      reading = read(turn, at)
      yield piece
    }
  } finally {
    await reading?.catch(() => {})
    await file.close()
    for (const one of memory) if (idlePieces.length < MOST_IDLE) idlePieces.push(one)
  }
}

const borrowed = () => idlePieces.pop() ?? new Uint8Array(PIECE)

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
    // The one is our work, the other that of the disk.
    const writing = writeWhole(file, chunk)
    hash.update(chunk)
    await writing
  }
  return { sha256: Sha256.parse(hash.digest('hex')), bytes }
}

/** Durable once it returns. */
async function extend(path: string, tail: Uint8Array): Promise<number> {
  const file = await open(path, 'a')
  try {
    await writeWhole(file, tail)
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await file.write(chunk, done, chunk.length - done)).bytesWritten
}

function stagedBlob(
  { path, sha256, bytes }: Pick<StagedBlob, 'path' | 'sha256' | 'bytes'>,
  place: () => Promise<void>,
): StagedBlob {
  let isKept = false
  return {
    sha256,
    bytes,
    path,
    stream: (start, end) => streamOf(path, start, end),
    async keep() {
      if (isKept) return
      await place()
      isKept = true
    },
    async discard() {
      if (!isKept) await rm(path, { force: true })
    },
  }
}

/**
 * The folders of the blobs. A folder that exists may not be durable yet: its maker may have crashed before the
 * flush. Only folders that this process has flushed need no further flush.
 */
function shelvesOf(root: string) {
  const durable = new Set<string>()

  return {
    /** Durable under its name once this returns. */
    async place(from: string, to: string): Promise<void> {
      const shelf = dirname(to)
      const above = dirname(shelf)
      // Over an equal blob this changes nothing but the inode: the contents are the same by name.
      await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        for (const folder of [shelf, above]) durable.delete(folder)
        await mkdir(shelf, { recursive: true })
        await rename(from, to)
      })
      const parents = [durable.has(shelf) ? [] : [above], durable.has(above) ? [] : [root]].flat()
      await Promise.all([shelf, ...parents].map(syncFolder))
      durable.add(shelf).add(above)
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

/* Another process may be writing: only a file that is unchanged for an hour is litter. */
async function clearStale(incoming: string): Promise<void> {
  const names = await readdir(incoming).catch((error: NodeJS.ErrnoException) => {
    // No stranger has sent a file yet.
    if (error.code !== 'ENOENT') throw error
    return []
  })
  for (const name of names) {
    const path = join(incoming, name)
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      // Another process kept it, or takes the litter away too.
      if (error.code !== 'ENOENT') throw error
    })
    if (found?.isFile() && Date.now() - found.mtimeMs > hours(1)) await rm(path, { force: true })
  }
}
