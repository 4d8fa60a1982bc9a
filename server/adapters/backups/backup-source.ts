import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isSecretFile, isStoredPath } from '#server/domain/backups/entry-name.ts'
import type { BackupSource } from '#server/ports/backup-source.ts'
import { copiedFile } from './copied-file.ts'

type Folders = { blobs: string; secrets: string; checkpoints: string }

/** @param places the folders of the stored files and of the keys, and the file of the checkpoints */
export function openBackupSource({ blobs, secrets, checkpoints }: Folders): BackupSource {
  return {
    checkpoints: () => copiedFile(checkpoints),
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
