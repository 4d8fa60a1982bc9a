import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hours } from '#server/domain/time.ts'

/**
 * The folders of the blobs. A folder that exists may not be durable yet: its maker may have crashed before the
 * flush. Only folders that this process has flushed need no further flush.
 */
export function shelvesOf(root: string) {
  const durable = new Set<string>()

  return {
    /** Durable under its name once this returns. The name must be new: it would be replaced. */
    async place(from: string, to: string): Promise<void> {
      const shelf = dirname(to)
      const above = dirname(shelf)
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
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; NTFS keeps names in its journal.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Another process may be writing: only a file that is unchanged for an hour is litter. */
export async function clearStale(incoming: string): Promise<void> {
  const names = await readdir(incoming).catch((error: NodeJS.ErrnoException) => {
    // No stranger has sent a file yet.
    if (error.code !== 'ENOENT') throw error
    return []
  })
  for (const name of names) {
    const path = `${incoming}/${name}`
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      // Another process kept it, or takes the litter away too.
      if (error.code !== 'ENOENT') throw error
    })
    if (found?.isFile() && Date.now() - found.mtimeMs > hours(1)) await rm(path, { force: true })
  }
}
