import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { checkpointsName } from '#server/domain/backups/entry-name.ts'
import type { CheckpointFile, CheckpointFiles } from '#server/ports/checkpoint-file.ts'
import { byteLines } from './byte-lines.ts'
import { syncFolder } from './key-files.ts'

/** A note has a few hundred bytes: no line of ours is longer, and the last one stands in so much of the end. */
const LONGEST = 64 * 1024

/** @param folder is made when the first checkpoint is appended */
export const openCheckpointFiles = (folder: string): CheckpointFiles => ({
  of: ({ number, id }) =>
    openCheckpointFile(path.join(folder, checkpointsName(number === FIRST_LOG ? null : id))),
})

/** One JSON object a line, `{"checkpoint":"…"}`, as in the export of the log. */
export function openCheckpointFile(file: string): CheckpointFile {
  const folder = path.dirname(file)
  return {
    async newest() {
      const text = await reading(file, async (handle) => {
        const { size } = await handle.stat()
        const start = Math.max(0, size - LONGEST)
        const { buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
        return buffer.toString()
      })
      return text?.split('\n').map(noteIn).findLast(isNote)
    },
    async append(notes) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const handle = await open(file, 'a', 0o600)
      try {
        // An empty line in front: of a process that died while it wrote half a line may be there.
        const lines = notes.map((note) => `\n${JSON.stringify({ checkpoint: note })}\n`)
        await handle.writeFile(lines.join(''))
        await handle.sync()
      } finally {
        await handle.close()
      }
      syncFolder(folder)
    },
    async *list() {
      const handle = await openIfThere(file)
      if (!handle) return
      try {
        for await (const line of byteLines(handle.createReadStream(), LONGEST)) {
          const note = noteIn(Buffer.from(line).toString())
          if (isNote(note)) yield note
        }
      } finally {
        await handle.close()
      }
    },
  }
}

async function reading<T>(
  file: string,
  read: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const handle = await openIfThere(file)
  if (!handle) return undefined
  return await read(handle).finally(() => handle.close())
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined for an empty line, and for one that was begun and never finished. */
function noteIn(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const note = value instanceof Object && 'checkpoint' in value ? value.checkpoint : undefined
    return typeof note === 'string' ? note : undefined
  } catch {
    return undefined
  }
}

const isNote = (note: string | undefined): note is string => note !== undefined
