import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { rawPieces } from '#server/adapters/blobs/file-pieces.ts'
import { isCheckpointsName, isSecretFile, isStoredPath } from '#server/domain/backups/entry-name.ts'
import type { BackupSource, CopiedFile } from '#server/ports/backup-source.ts'
import type { FileStore } from '#server/ports/file-store.ts'
import { copiedFile } from './copied-file.ts'

type Places = {
  files: Pick<FileStore, 'size' | 'open'>
  /** The folder of the keys. */
  secrets: string
  /** Their folder. */
  checkpoints: string
}

export function openBackupSource({ files, secrets, checkpoints }: Places): BackupSource {
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
      const bytes = await files.size(name)
      return bytes === undefined ? undefined : { bytes, pieces: () => piecesOf(files, name, bytes) }
    },
    async secrets() {
      const names = (await readdir(secrets)).filter(isSecretFile).toSorted()
      const keys = new Map<string, Uint8Array>()
      for (const name of names) keys.set(name, await readFile(path.join(secrets, name)))
      return keys
    },
  }
}

async function* piecesOf(files: Places['files'], name: string, bytes: number) {
  const file = await files.open(name)
  try {
    // New memory each time: who gets a piece may keep it.
    for await (const piece of rawPieces(file, 0, bytes)) yield piece.slice()
  } finally {
    await file.close()
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
