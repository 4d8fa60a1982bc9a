import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { SealingKeyFiles } from './sealing-keys.ts'

/** What the file system says about the folders of an installation. */
export type FolderFacts = {
  /** The folder of the secrets, if it is within that of the data: a copy of the data then has the keys too. */
  secretsInData: string | undefined
  /** In bytes, of the disk of the data. */
  free: number
  total: number
  sealingKeys: ReadonlySet<number>
}

export async function folderFacts(
  folders: { dataFolder: string; secretsFolder: string },
  keys: Pick<SealingKeyFiles, 'versions'>,
): Promise<FolderFacts> {
  const { dataFolder, secretsFolder } = folders
  const { bavail, blocks, bsize } = await statfs(dataFolder)
  const isWithin = !path.relative(dataFolder, secretsFolder).startsWith('..')
  return {
    secretsInData: isWithin ? secretsFolder : undefined,
    free: bavail * bsize,
    total: blocks * bsize,
    sealingKeys: new Set(keys.versions()),
  }
}
