import type { FileAddress, OfficeKey, StoredFile } from '#server/domain/documents/stored-file.ts'
import type { OfficeId, OfficeKeyId } from '#server/domain/ids.ts'

/** The rows about stored files. Each change is durable once it returns. */
export type FileRecords = {
  find(address: FileAddress): Promise<StoredFile | undefined>
  /** False if the office has a row for this content already. */
  add(file: StoredFile): Promise<boolean>
  /** Compare-and-swap: false if the row is not as it was seen any more. */
  replace(seen: StoredFile, next: StoredFile): Promise<boolean>
  findKey(id: OfficeKeyId): Promise<OfficeKey | undefined>
  /** The key that wraps new keys; undefined if the office has none yet. */
  findNewestKey(officeId: OfficeId): Promise<OfficeKey | undefined>
  /** False if another process added a key with this number first. */
  addKey(key: OfficeKey): Promise<boolean>
}
