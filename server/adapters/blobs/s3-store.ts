import { copyFile, open, rm } from 'node:fs/promises'
import { createQueue } from '#server/adapters/queue.ts'
import { PAYLOAD_NONCE_BYTES, SEALED_CHUNK_BYTES } from '#server/domain/age/stream.ts'
import { Problem } from '#server/domain/problem.ts'
import type { FileStore, RawFile, StoreIdentity } from '#server/ports/file-store.ts'
import { openFileCache } from './file-cache.ts'
import { openLocal, rawPieces } from './file-pieces.ts'
import { openObjects, type S3Objects, type S3Place } from './s3-objects.ts'

export type CacheOptions = {
  folder: string
  /** In bytes. */
  limit: number
}

/** In bytes: the smallest that S3 takes, but for the last one. An upload has 10,000 at most. */
export const PART = 5 * 1024 ** 2
/** Parts that are in memory at once, of all uploads together. */
const PARTS_AT_ONCE = 4
const DOWNLOADS_AT_ONCE = 4
const CHUNKS_OF_DOWNLOAD = 64
/** Read with one request. */
const GOOD_PIECE = 16 * SEALED_CHUNK_BYTES
/** Of files whose beginnings are remembered: a page that shows a document reads many parts of it. */
const MOST_HEADS = 1000

/** @see FileStore.place */
const placeName = ({ bucket, prefix }: S3Place) => `s3://${bucket}/${prefix}`.replace(/\/$/, '')

/**
 * Files as objects of a bucket. A file is there once its upload is complete. Needs no conditional writes: no two writes share
 * a name.
 *
 * @throws {Problem} `files-unreachable`, also from all its functions
 */
export async function openS3Store(place: S3Place, cached: CacheOptions): Promise<FileStore> {
  const name = placeName(place)
  const objects = await openObjects(place, name)
  const cache = await openFileCache(cached.folder, cached.limit)
  const { upload } = createUploads(objects)
  const downloads = createQueue({ name: 'downloads of stored files', places: DOWNLOADS_AT_ONCE })
  const { ranged, forgetHead } = createRanges(objects)

  const wanted = (file: string) => ({
    name: file,
    size: async () => (await ranged(file)).size,
    load: (path: string) =>
      downloads.inTurn(async () => {
        const raw = await ranged(file)
        await writeDurably(path, rawPieces(raw, 0, raw.size, CHUNKS_OF_DOWNLOAD))
      }),
  })

  async function forget(file: string): Promise<void> {
    forgetHead(file)
    await cache.forget(file)
  }

  async function remove(file: string): Promise<void> {
    await objects.remove(file)
    await forget(file)
  }

  async function copy(path: string, file: string): Promise<void> {
    const { size } = await upload(path, file)
    const stored = await objects.size(file)
    if (stored === size) return
    throw new Problem('files-unreachable', `${name}: ${file} has ${stored} of ${size} bytes`)
  }

  return {
    place: name,
    size: objects.size,
    open: async (file) => (await cache.open(file)) ?? (await ranged(file)),
    withLocal: (file, use) => cache.use(wanted(file), use),
    async dropCopy(file) {
      await forget(file)
      return true
    },
    async move(path, file) {
      await copy(path, file).catch(async (error) => {
        // Its answer may be all that was lost.
        await objects.remove(file).catch(() => {})
        throw error
      })
      await cache.add(path, file)
      await rm(path)
    },
    copy,
    async takeBack(file, path) {
      await cache.use(wanted(file), (local) => copyFile(local, path))
      await remove(file)
    },
    remove,
    async *list(folder) {
      for await (const { key, writtenAt } of objects.list(`${folder}/`))
        yield { name: key, writtenAt }
    },
    identity: identityIn(objects),
  }
}

function createUploads(objects: S3Objects) {
  const turns = createQueue({ name: 'uploads of stored files', places: PARTS_AT_ONCE })
  const idle: Uint8Array[] = []

  /** Sends bytes from the memory of the process, so that a try that failed can be repeated. */
  function sending(file: RawFile, [start, end]: [number, number], send: Send): Promise<void> {
    return turns.inTurn(async () => {
      const length = end - start
      const memory = length === PART ? (idle.pop() ?? new Uint8Array(PART)) : new Uint8Array(length)
      try {
        await file.fill(memory, start)
        await send(memory)
      } finally {
        if (length === PART) idle.push(memory)
      }
    })
  }

  async function uploadParts(file: RawFile, key: string): Promise<void> {
    const count = Math.ceil(file.size / PART)
    let next = 1
    await objects.putParts(key, async (send) => {
      async function work(): Promise<void> {
        for (let number = next++; number <= count; number = next++) {
          const range: [number, number] = [(number - 1) * PART, Math.min(number * PART, file.size)]
          await sending(file, range, (bytes) => send(number, bytes))
        }
      }
      const stopOthers = (error: unknown) => {
        next = count + 1
        throw error
      }
      const ended = await Promise.allSettled([1, 2].map(() => work().catch(stopOthers)))
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    })
  }

  return {
    /** @returns the size of the file */
    async upload(path: string, key: string): Promise<{ size: number }> {
      const file = await openLocal(path)
      const { size } = file
      try {
        if (size > PART) await uploadParts(file, key)
        else await sending(file, [0, size], (bytes) => objects.put(key, bytes))
        return { size }
      } finally {
        await file.close()
      }
    },
  }
}

type Send = (bytes: Uint8Array) => Promise<void>

type Head = { size: number; bytes: Uint8Array }

/** Reads parts of objects. The first request gives the size and the nonce; both are remembered, because a name never changes. */
function createRanges(objects: S3Objects) {
  const heads = new Map<string, Head>()

  async function headOf(name: string): Promise<Head> {
    const known = heads.get(name)
    heads.delete(name)
    const head = known ?? (await readHead(name))
    heads.set(name, head)
    if (heads.size > MOST_HEADS) heads.delete(heads.keys().next().value!)
    return head
  }

  async function readHead(name: string): Promise<Head> {
    const bytes = new Uint8Array(PAYLOAD_NONCE_BYTES)
    return { size: await objects.fill(name, bytes, 0), bytes }
  }

  async function ranged(name: string): Promise<RawFile> {
    const { size, bytes } = await headOf(name)
    return {
      ...{ size, goodPiece: GOOD_PIECE },
      async fill(target, at) {
        if (at === 0 && target.length <= bytes.length) target.set(bytes.subarray(0, target.length))
        else
          await objects.fill(name, target, at).catch((error) => {
            heads.delete(name)
            throw error
          })
      },
      close: async () => {},
    }
  }

  return {
    ranged,
    /** An operator may have put the object back. */
    forgetHead: (name: string) => void heads.delete(name),
  }
}

async function writeDurably(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The object with the id of the store. */
const ID_KEY = 'store-id'

function identityIn(objects: S3Objects): StoreIdentity {
  return {
    read: async () => (await objects.read(ID_KEY))?.trim(),
    write: (id) => objects.put(ID_KEY, Buffer.from(`${id}\n`)),
    remove: () => objects.remove(ID_KEY),
  }
}
