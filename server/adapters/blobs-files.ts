import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileAddress, StoredFile } from '#server/domain/documents/stored-file.ts'
import { OfficeId, Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Blobs, ReadableFile, StagedBlob } from '#server/ports/blobs.ts'
import { createFileKeys, type KeyParts } from './blobs/file-keys.ts'
import { piecesOf, sizeOnDisk, streamOf } from './blobs/file-pieces.ts'
import { partFilesIn } from './blobs/part-files.ts'
import { listPlain, plainPath, removePlain } from './blobs/plain-files.ts'
import { createPublicShare, PUBLIC_SHARE } from './blobs/public-share.ts'
import { type SealedFile, writeHashed, writeSealed } from './blobs/sealed-writer.ts'
import { clearStale, shelvesOf } from './blobs/shelves.ts'

/**
 * Blobs as encrypted files of `folder`: the payload of an age file each, in the folder of its office, under a name
 * that only the office's key connects with the content. A blob appears by a rename and then by its row, so that no
 * reader ever sees half of one. If we crash before the rename, a file stays behind in `incoming/`, which the next
 * start removes and whose key is gone; if we crash before the row, a file without one.
 *
 * @param publicShare how many bytes the files of strangers may take up at once, in `incoming/public/`
 */
export async function createFileBlobs(
  folder: string,
  parts: KeyParts,
  publicShare = PUBLIC_SHARE,
): Promise<Blobs> {
  const incoming = join(folder, 'incoming')
  const incomingPublic = join(incoming, 'public')
  await mkdir(incoming, { recursive: true })
  for (const place of [incoming, incomingPublic]) await clearStale(place)
  const share = createPublicShare(publicShare)
  const store = storeIn(folder, parts)
  const newPath = () => join(incoming, randomUUID())

  return {
    async stage(chunks, limit, { isPublic = false } = {}) {
      if (!isPublic) return stagedBlob(await writeHashed(newPath(), chunks, limit), store)
      await mkdir(incomingPublic, { recursive: true })
      const taken = share.take()
      try {
        const path = join(incomingPublic, randomUUID())
        const sealed = await writeHashed(path, taken.counting(chunks), limit)
        return taken.givenBackBy(stagedBlob(sealed, store))
      } catch (error) {
        taken.giveBack()
        throw error
      }
    },
    async append(base, tail) {
      const whole = followed(store.pieces(base), tail)
      const sealed = await writeSealed(newPath(), whole)
      return {
        file: readable(sealed),
        named: (sha256) => stagedBlob({ ...sealed, sha256 }, store),
        discard: () => rm(sealed.path, { force: true }),
      }
    },
    async withFile(address, use) {
      const file = await store.locate(address)
      try {
        return await use(file)
      } catch (error) {
        // The job encrypted it and took the plain file away before it was opened.
        if (file.fileKey || !isGone(error)) throw error
        return await use(await store.locate(address))
      }
    },
    size: async (address) => (await store.locate(address)).length,
    stream: (address, start, end) => streamOf(store.pieces(address, start, end, FEW_CHUNKS)),
    pieces: (address, start, end) => store.pieces(address, start, end),
    remove: (file) => rm(join(folder, ...file.split('/')), { force: true }),
    plain: {
      list: () => listPlain(folder),
      async encrypt(address) {
        if (await store.isHeld(address)) return
        const path = plainPath(folder, address.sha256)
        try {
          const plain = { path, length: (await stat(path)).size, fileKey: null }
          const sealed = await writeSealed(newPath(), piecesOf(plain, 0, plain.length))
          if (!(await store.keep(address, sealed))) await rm(sealed.path, { force: true })
        } catch (error) {
          // Another process did it first and took the plain file away.
          if (!isGone(error) || !(await store.isHeld(address))) throw error
        }
      },
      remove: (sha256) => removePlain(folder, sha256),
    },
    parts: partFilesIn(join(incoming, 'uploads')),
  }
}

/** A slow reader of a download holds little memory. */
const FEW_CHUNKS = 2

/** Between two threads an error keeps its message only. */
const isGone = (error: unknown) => error instanceof Error && /\bENOENT\b/.test(error.message)

const readable = ({ path, bytes, fileKey }: SealedFile): ReadableFile => ({
  path,
  length: bytes,
  fileKey,
})

type Store = ReturnType<typeof storeIn>

function storeIn(folder: string, parts: KeyParts) {
  const { records } = parts
  const keys = createFileKeys(parts)
  const shelves = shelvesOf(folder)
  const pathOf = ({ file }: StoredFile) => join(folder, ...file.split('/'))
  const isWhole = async (file: StoredFile) =>
    (await sizeOf(pathOf(file)).catch(unlessGone)) === sizeOnDisk(file.bytes)

  /** @throws {Error} `ENOENT` if it is missing. @throws {Problem} `stored-file-damaged` if its size is another */
  async function locate(address: FileAddress): Promise<ReadableFile> {
    const found = await records.find(address)
    const path = found ? pathOf(found) : plainPath(folder, address.sha256)
    const size = await sizeOf(path)
    if (!found) return { path, length: size, fileKey: null }
    if (size !== sizeOnDisk(found.bytes))
      throw new Problem('stored-file-damaged', `${found.file} has ${size} bytes`)
    return { path, length: found.bytes, fileKey: await keys.keyOf(found) }
  }

  return {
    locate,
    async isHeld(address: FileAddress): Promise<boolean> {
      const found = await records.find(address)
      return found !== undefined && (await isWhole(found))
    },
    async *pieces(
      address: FileAddress,
      start = 0,
      end?: number,
      chunksAtOnce?: number,
    ): AsyncGenerator<Uint8Array> {
      const file = await locate(address)
      try {
        yield* piecesOf(file, start, end ?? file.length, chunksAtOnce)
      } catch (error) {
        if (file.fileKey || !isGone(error)) throw error
        const encrypted = await locate(address)
        yield* piecesOf(encrypted, start, end ?? encrypted.length, chunksAtOnce)
      }
    },
    /** Durable with its row once this returns. False if the office has the content already: then this file stays where it is. */
    async keep(address: FileAddress, sealed: SealedFile): Promise<boolean> {
      const before = await records.find(address)
      if (before && (await isWhole(before))) return false
      const made = await nameOf(address, sealed)
      if (!before && (await records.add(made))) return true
      // Another process stored the same content meanwhile, or the file of the row is lost.
      const known = before ?? (await records.find(address))
      const isLost = known !== undefined && !(await isWhole(known))
      if (isLost && (await records.replace(known, made))) return true
      await takeBack(made, sealed)
      return false
    },
    /** The same without the row. Undefined if there is one for the content: then this file stays where it is. */
    async place(address: FileAddress, sealed: SealedFile): Promise<StoredFile | undefined> {
      return (await records.find(address)) ? undefined : await nameOf(address, sealed)
    },
    takeBack,
  }

  /** Durable under its name once this returns. */
  async function nameOf(
    { officeId, sha256 }: FileAddress,
    sealed: SealedFile,
  ): Promise<StoredFile> {
    const address = { officeId: OfficeId.parse(officeId), sha256: Sha256.parse(sha256) }
    const made = await keys.recordFor(address, sealed)
    await sealed.durable
    await shelves.place(sealed.path, pathOf(made))
    return made
  }

  function takeBack(made: StoredFile, sealed: SealedFile): Promise<void> {
    return rename(pathOf(made), sealed.path)
  }
}

const sizeOf = async (path: string) => (await stat(path)).size

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function* followed(base: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield* base
  yield tail
}

function stagedBlob(sealed: SealedFile & { sha256: Sha256 }, store: Store): StagedBlob {
  const { sha256, bytes, path } = sealed
  const file = readable(sealed)
  let isPlaced = false

  async function keep(officeId: OfficeId): Promise<void> {
    if (!isPlaced) isPlaced = await store.keep({ officeId, sha256 }, sealed)
  }

  return {
    sha256,
    bytes,
    file,
    stream: (start, end) => streamOf(piecesOf(file, start, end, FEW_CHUNKS)),
    keep,
    async place(officeId) {
      const row = isPlaced ? undefined : await store.place({ officeId, sha256 }, sealed)
      // Also where the file of a row is lost.
      if (!row) return await keep(officeId).then(() => undefined)
      isPlaced = true
      return {
        row,
        async takeBack() {
          await store.takeBack(row, sealed)
          isPlaced = false
        },
      }
    },
    async discard() {
      if (!isPlaced) await rm(path, { force: true })
    },
  }
}
