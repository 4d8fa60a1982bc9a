import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { payloadSize } from '#server/domain/age/stream.ts'
import type { FileAddress, StoredFile } from '#server/domain/documents/stored-file.ts'
import { OfficeId, Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Blobs, ReadableFile, StagedBlob } from '#server/ports/blobs.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import { createFileKeys, type KeyParts } from './blobs/file-keys.ts'
import { piecesOf, streamOf } from './blobs/file-pieces.ts'
import { folderStore } from './blobs/folder-store.ts'
import { isMissing, missingFile } from './blobs/missing.ts'
import { partFilesIn } from './blobs/part-files.ts'
import { listPlain, plainPath, removePlain } from './blobs/plain-files.ts'
import { createPublicShare, PUBLIC_SHARE } from './blobs/public-share.ts'
import { type SealedFile, writeHashed, writeSealed } from './blobs/sealed-writer.ts'
import { clearStale } from './blobs/shelves.ts'
import { storedPieces, withStored } from './blobs/stored-pieces.ts'

/** Where the files of an installation lie. */
export type BlobPlaces = {
  /** The folder of files that are not kept yet. */
  incoming: string
  files: FileStore
  /** The folder of the files of releases before 0029; null if there are none. */
  plain: string | null
}

/** Blobs in `folder` alone. */
export const createFileBlobs = (
  folder: string,
  parts: KeyParts,
  publicShare?: number,
): Promise<Blobs> =>
  createBlobs(
    { incoming: join(folder, 'incoming'), files: folderStore(folder), plain: folder },
    parts,
    publicShare,
  )

/**
 * Blobs as encrypted files of a store: the payload of an age file each, in the folder of its office, under a name
 * that only the office's key connects with the content. A blob is written to the folder `incoming`, then appears in the
 * store whole, and then by its row, so that no reader ever sees half of one. If we crash before it is in the store, a file
 * stays behind in `incoming`, which the next start removes and whose key is gone; if we crash before the row, a file without one.
 *
 * @param publicShare how many bytes the files of strangers may take up at once, in `incoming/public/`
 */
export async function createBlobs(
  { incoming, files, plain }: BlobPlaces,
  parts: KeyParts,
  publicShare = PUBLIC_SHARE,
): Promise<Blobs> {
  const incomingPublic = join(incoming, 'public')
  await mkdir(incoming, { recursive: true })
  for (const place of [incoming, incomingPublic]) await clearStale(place)
  const share = createPublicShare(publicShare)
  const store = storeIn({ files, plain }, parts)
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
      const found = await store.find(address)
      if (found) return await store.withSealed(found, use)
      try {
        return await use(await store.plainFile(address))
      } catch (error) {
        // The job encrypted it and took the plain file away before it was opened.
        const encrypted = isMissing(error) ? await store.find(address) : undefined
        if (!encrypted) throw error
        return await store.withSealed(encrypted, use)
      }
    },
    size: store.size,
    stream: (address, start, end) => streamOf(store.pieces(address, start, end, FEW_CHUNKS)),
    pieces: (address, start, end) => store.pieces(address, start, end),
    remove: files.remove,
    plain: {
      async *list() {
        if (plain !== null) yield* listPlain(plain)
      },
      async encrypt(address) {
        if (await store.isHeld(address)) return
        try {
          const file = await store.plainFile(address)
          const sealed = await writeSealed(newPath(), piecesOf(file, 0, file.length))
          if (!(await store.keep(address, sealed))) await rm(sealed.path, { force: true })
        } catch (error) {
          // Another process did it first and took the plain file away.
          if (!isMissing(error) || !(await store.isHeld(address))) throw error
        }
      },
      async remove(sha256) {
        if (plain !== null) await removePlain(plain, sha256)
      },
    },
    parts: partFilesIn(files, incoming),
  }
}

/** A slow reader of a download holds little memory. */
const FEW_CHUNKS = 2

const readable = ({ path, bytes, fileKey }: SealedFile): ReadableFile => ({
  path,
  length: bytes,
  fileKey,
})

type Store = ReturnType<typeof storeIn>

function storeIn({ files, plain }: Pick<BlobPlaces, 'files' | 'plain'>, parts: KeyParts) {
  const { records } = parts
  const keys = createFileKeys(parts)
  const isWhole = async ({ file, bytes }: StoredFile) =>
    (await files.size(file)) === payloadSize(bytes)

  /** @throws {Problem} `stored-file-damaged` */
  function mustHaveSize({ file, bytes }: StoredFile, size: number): void {
    if (size === payloadSize(bytes)) return
    throw new Problem('stored-file-damaged', `${file} has ${size} bytes`)
  }

  /** @throws {Error} `ENOENT` */
  async function plainFile({ sha256 }: FileAddress): Promise<ReadableFile> {
    // Also says that the name is no digest.
    const path = plainPath(plain ?? '', sha256)
    if (plain === null) throw missingFile(path)
    return { path, length: (await stat(path)).size, fileKey: null }
  }

  async function* sealedPieces(found: StoredFile, start: number, end: number, atOnce?: number) {
    const fileKey = await keys.keyOf(found)
    const stretch = { name: found.file, length: found.bytes, fileKey, start, end }
    yield* storedPieces(files, stretch, atOnce)
  }

  return {
    find: (address: FileAddress) => records.find(address),
    plainFile,
    withSealed<T>(found: StoredFile, use: (file: ReadableFile) => Promise<T>): Promise<T> {
      return withStored(files, found.file, async (path) => {
        mustHaveSize(found, (await stat(path)).size)
        return await use({ path, length: found.bytes, fileKey: await keys.keyOf(found) })
      })
    },
    async isHeld(address: FileAddress): Promise<boolean> {
      const found = await records.find(address)
      return found !== undefined && (await isWhole(found))
    },
    /** @throws {Error} `ENOENT` if it is missing. @throws {Problem} `stored-file-damaged` if its size is another */
    async size(address: FileAddress): Promise<number> {
      const found = await records.find(address)
      if (!found) return (await plainFile(address)).length
      const size = await files.size(found.file)
      if (size === undefined) throw missingFile(found.file)
      mustHaveSize(found, size)
      return found.bytes
    },
    async *pieces(
      address: FileAddress,
      start = 0,
      end?: number,
      chunksAtOnce?: number,
    ): AsyncGenerator<Uint8Array> {
      const found = await records.find(address)
      if (found) return yield* sealedPieces(found, start, end ?? found.bytes, chunksAtOnce)
      try {
        const file = await plainFile(address)
        yield* piecesOf(file, start, end ?? file.length, chunksAtOnce)
      } catch (error) {
        const encrypted = isMissing(error) ? await records.find(address) : undefined
        if (!encrypted) throw error
        yield* sealedPieces(encrypted, start, end ?? encrypted.bytes, chunksAtOnce)
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
    await files.move(sealed.path, made.file)
    return made
  }

  function takeBack(made: StoredFile, sealed: SealedFile): Promise<void> {
    return files.takeBack(made.file, sealed.path)
  }
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
