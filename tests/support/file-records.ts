import { createVault } from '#server/adapters/vault.ts'
import type { OfficeKey, StoredFile } from '#server/domain/documents/stored-file.ts'
import type { FileRecords } from '#server/ports/file-records.ts'
import { MORNING } from './builders.ts'
import { testSealingKeys } from './keys/sealing-keys.ts'

/** The rows of stored files in memory. */
export type TestFileRecords = FileRecords & { files: Map<string, StoredFile>; keys: OfficeKey[] }

export function testFileRecords(): TestFileRecords {
  const files = new Map<string, StoredFile>()
  const keys: OfficeKey[] = []
  const nameOf = ({ officeId, sha256 }: Pick<StoredFile, 'officeId' | 'sha256'>) =>
    `${officeId} ${sha256}`
  const of = (officeId: string) => keys.filter((key) => key.officeId === officeId)
  return {
    files,
    keys,
    find: async (address) => files.get(nameOf(address)),
    async add(file) {
      if (files.has(nameOf(file))) return false
      files.set(nameOf(file), file)
      return true
    },
    async replace(seen, next) {
      if (files.get(nameOf(seen))?.file !== seen.file) return false
      files.set(nameOf(seen), next)
      return true
    },
    findKey: async (id) => keys.find((key) => key.id === id),
    findNewestKey: async (officeId) => of(officeId).at(-1),
    async addKey(key) {
      if (of(key.officeId).some(({ number }) => number === key.number)) return false
      keys.push(key)
      return true
    },
  }
}

/** What the store of files needs, without a database. */
export function testKeyParts(records = testFileRecords()) {
  return { records, vault: createVault(testSealingKeys()), clock: { now: () => MORNING } }
}
