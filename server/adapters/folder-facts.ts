import path from 'node:path'
import type { SealingKeyFiles } from './sealing-keys.ts'

/** What the file system says about the folders of an installation. */
export type FolderFacts = {
  /** The folder of the secrets, if it is within that of the data: a copy of the data then has the keys too. */
  secretsInData: string | undefined
  sealingKeys: ReadonlySet<number>
}

export function folderFacts(
  folders: { dataFolder: string; secretsFolder: string },
  keys: Pick<SealingKeyFiles, 'versions'>,
): FolderFacts {
  const { dataFolder, secretsFolder } = folders
  const isWithin = !path.relative(dataFolder, secretsFolder).startsWith('..')
  return {
    secretsInData: isWithin ? secretsFolder : undefined,
    sealingKeys: new Set(keys.versions()),
  }
}
