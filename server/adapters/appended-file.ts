import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { DigestedBeginning } from '#server/domain/bytes.ts'
import { copyAndReadBack, readBack } from './copied-pieces.ts'

/** A copy of a file with more bytes appended; it appears under its name only with `keep`. */
export type AppendedFile = {
  /** Where it lies until `keep` or `discard`. */
  readonly temporary: string
  /** The copy of the other file, as it was read back from where it lies now. */
  copied(): Promise<DigestedBeginning>
  append(bytes: Uint8Array): Promise<void>
  /** Readers see the old target or the whole new one; it is durable once this returns. */
  keep(): Promise<void>
  /** Leaves nothing behind; does nothing after `keep`. */
  discard(): Promise<void>
}

/**
 * Begins to copy `base` beside `target`. Where the file system can share the blocks it does, and the bytes are
 * only read. What the copy cannot do is thrown by `copied` and `append`.
 */
export function stageAppended(base: string, target: string): AppendedFile {
  const temporary = `${target}.${randomUUID()}.tmp`
  const copied = copyDigesting(base, temporary)
  // `copied()` reports the failure; without this an unhandled rejection would end the process.
  copied.catch(() => {})
  let isKept = false
  return {
    temporary,
    copied: () => copied,
    async append(bytes) {
      await copied
      const file = await open(temporary, 'a')
      await file.writeFile(bytes).finally(() => file.close())
    },
    async keep() {
      await sync(temporary, 'r+')
      await rename(temporary, target)
      isKept = true
      // Windows cannot open folders; NTFS keeps names in its journal.
      if (process.platform !== 'win32') await sync(path.dirname(target), 'r')
    },
    async discard() {
      await copied.catch(() => {})
      if (!isKept) await rm(temporary, { force: true })
    },
  }
}

async function copyDigesting(base: string, temporary: string): Promise<DigestedBeginning> {
  const from = await open(base, 'r')
  try {
    const { size, mode } = await from.stat()
    // The copy of a read-only file is written to; who may read it stays as it was.
    const { to, isShared } = await begin(base, temporary, (mode & 0o777) | 0o200)
    try {
      const hash = await (isShared ? readBack(to, size) : copyAndReadBack(from, to, size))
      return { length: size, sha256: () => hash.copy() }
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

async function begin(
  base: string,
  temporary: string,
  mode: number,
): Promise<{ to: FileHandle; isShared: boolean }> {
  const isShared = await copyFile(
    base,
    temporary,
    constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE,
  ).then(
    () => true,
    () => false,
  )
  // Shared, it lies there already, maybe for reading only.
  const to = await open(temporary, isShared ? 'r' : 'wx+', mode)
  try {
    await to.chmod(mode)
    return { to, isShared }
  } catch (error) {
    await to.close()
    throw error
  }
}

async function sync(place: string, flags: string): Promise<void> {
  const handle = await open(place, flags)
  await handle.sync().finally(() => handle.close())
}
