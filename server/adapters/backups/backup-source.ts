import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isCheckpointsName, isSecretFile, isStoredPath } from '#server/domain/backups/entry-name.ts'
import type { BackupSource, CopiedFile } from '#server/ports/backup-source.ts'
import { copiedFile } from './copied-file.ts'

type Folders = { blobs: string; secrets: string; checkpoints: string }

/** @param places the folders of the stored files, of the keys and of the checkpoints */
export function openBackupSource({ blobs, secrets, checkpoints }: Folders): BackupSource {
  return {
    async checkpoints() {
      const files = new Map<string, CopiedFile>()
      for (const name of await namesIn(checkpoints)) {
        const file = await copiedFile(path.join(checkpoints, name))
        if (file) files.set(name, file)
      }
      return files
    },
    async stored(name) {
      if (!isStoredPath(name)) throw new Error(`no stored file is called ${name}`)
      return await copiedFile(path.join(blobs, ...name.split('/')))
    },
    async secrets() {
      const names = (await readdir(secrets)).filter(isSecretFile).toSorted()
      const keys = new Map<string, Uint8Array>()
      for (const name of names) keys.set(name, await readFile(path.join(secrets, name)))
      return keys
    },
  }
}

/** Of the files of checkpoints; none before the first checkpoint. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  return names.filter(isCheckpointsName).toSorted()
}
