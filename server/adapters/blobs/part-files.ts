import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '#server/domain/problem.ts'
import type { PartFiles } from '#server/ports/blobs.ts'
import { piecesOf } from './file-pieces.ts'
import { writeHashed } from './sealed-writer.ts'
import { syncFolder } from './shelves.ts'

/** The parts of files on their way, in one folder. There are few: they live for a day. */
export function partFilesIn(folder: string): PartFiles {
  const pathOf = (file: string) => join(folder, file)
  return {
    async write(chunks, limit, keyOf) {
      const file = randomUUID()
      await mkdir(folder, { recursive: true })
      const written = await writeHashed(pathOf(file), chunks, limit, keyOf(file))
      const { bytes, sha256, durable } = written
      try {
        await durable
      } catch (error) {
        await rm(pathOf(file), { force: true })
        throw error
      }
      await syncFolder(folder)
      return { file, bytes, sha256 }
    },
    async *pieces({ file, bytes }, fileKey) {
      try {
        yield* piecesOf({ path: pathOf(file), length: bytes, fileKey }, 0, bytes)
      } catch (error) {
        if (!isMissing(error)) throw error
        throw new Problem('stored-file-damaged', `part ${file} is gone`, { cause: error })
      }
    },
    remove: (file) => rm(pathOf(file), { force: true }),
    async clear(limit) {
      for (const file of await readdir(folder).catch(unlessMissing)) {
        // Another process may have removed it.
        const found = await stat(pathOf(file)).catch(unlessMissing)
        if ('mtimeMs' in found && found.mtimeMs < limit) await rm(pathOf(file), { force: true })
      }
    },
  }
}

function unlessMissing(error: unknown): [] {
  if (!isMissing(error)) throw error
  return []
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
