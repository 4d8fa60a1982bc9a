import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** A file that will be the bytes of another one and more, and that nobody sees under its name before `keep`. */
export type AppendedFile = {
  /** Where it lies until `keep` or `discard`. */
  readonly temporary: string
  append(bytes: Uint8Array): Promise<void>
  /** Whoever looks sees the old target or the whole new one; it is durable once this returns. */
  keep(): Promise<void>
  /** Leaves nothing behind; does nothing after `keep`. */
  discard(): Promise<void>
}

/**
 * Begins to copy `base` beside `target` while the caller goes on: the system copies, or shares the blocks,
 * without the bytes passing through us. What the copy cannot do is thrown by `append`.
 */
export function stageAppended(base: string, target: string): AppendedFile {
  const temporary = `${target}.${randomUUID()}.tmp`
  const copied = copyFile(base, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  // Until somebody asks, a failure is nobody's surprise.
  copied.catch(() => {})
  let isKept = false
  return {
    temporary,
    async append(bytes) {
      await copied
      // The copy of a read-only file is read-only too; who may read it stays as it was.
      await chmod(temporary, ((await stat(base)).mode & 0o777) | 0o200)
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

async function sync(place: string, flags: string): Promise<void> {
  const handle = await open(place, flags)
  await handle.sync().finally(() => handle.close())
}
