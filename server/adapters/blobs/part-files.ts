import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PARTS_FOLDER } from '#server/domain/documents/stored-file.ts'
import { Problem } from '#server/domain/problem.ts'
import type { PartFiles } from '#server/ports/blobs.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import { isMissing } from './missing.ts'
import { writeHashed } from './sealed-writer.ts'
import { storedPieces } from './stored-pieces.ts'

/** The parts of files on their way. There are few: they live for a day. @param incoming where a file is written before it is moved to the store */
export function partFilesIn(store: FileStore, incoming: string): PartFiles {
  const nameOf = (file: string) => `${PARTS_FOLDER}/${file}`
  return {
    async write(chunks, limit, keyOf) {
      const file = randomUUID()
      const path = join(incoming, file)
      const written = await writeHashed(path, chunks, limit, keyOf(file))
      const { bytes, sha256, durable } = written
      try {
        await durable
        await store.move(path, nameOf(file))
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return { file, bytes, sha256 }
    },
    async *pieces({ file, bytes }, fileKey) {
      try {
        const whole = { name: nameOf(file), length: bytes, fileKey, start: 0, end: bytes }
        yield* storedPieces(store, whole)
      } catch (error) {
        if (!isMissing(error)) throw error
        throw new Problem('stored-file-damaged', `part ${file} is gone`, { cause: error })
      }
    },
    remove: (file) => store.remove(nameOf(file)),
    async clear(limit) {
      for await (const { name, writtenAt } of store.list(PARTS_FOLDER))
        if (writtenAt < limit) await store.remove(name)
    },
  }
}
