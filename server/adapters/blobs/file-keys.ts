import { randomBytes, randomUUID } from 'node:crypto'
import { SEAL_NONCE_BYTES } from '#server/domain/crypto/seal.ts'
import {
  newFilePath,
  newOfficeKey,
  OFFICE_KEY_BYTES,
  type OpenOfficeKey,
  openOfficeKey,
  unwrapFileKey,
  wrapFileKey,
} from '#server/domain/documents/file-keys.ts'
import {
  type FileAddress,
  type OfficeKey,
  placeOfOfficeKey,
  type StoredFile,
} from '#server/domain/documents/stored-file.ts'
import { type OfficeId, OfficeKeyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { FileRecords } from '#server/ports/file-records.ts'
import type { Vault } from '#server/ports/vault.ts'

/** What the keys of stored files need. */
export type KeyParts = { records: FileRecords; vault: Vault; clock: Clock }

/** The keys of files. An office gets its first key with its first file. */
export function createFileKeys({ records, vault, clock }: KeyParts) {
  /** Opened ones: a key never changes, its seal does. */
  const opened = new Map<OfficeKeyId, OpenOfficeKey>()

  function openedKey(key: OfficeKey): OpenOfficeKey {
    const known = opened.get(key.id)
    if (known) return known
    const open = openOfficeKey(vault.open(key.sealed, placeOfOfficeKey(key)))
    opened.set(key.id, open)
    return open
  }

  async function newestKey(officeId: OfficeId): Promise<OfficeKey> {
    const newest = await records.findNewestKey(officeId)
    if (newest) return newest
    await records.addKey(firstOfficeKey(vault, clock, officeId))
    const added = await records.findNewestKey(officeId)
    if (!added) throw new Error(`office ${officeId} got no key`)
    return added
  }

  return {
    /** The row of a new file, which lies nowhere yet. */
    async recordFor(
      address: FileAddress,
      { fileKey, nonce, bytes }: { fileKey: Uint8Array; nonce: Uint8Array; bytes: number },
    ): Promise<StoredFile> {
      const key = await newestKey(address.officeId)
      const open = openedKey(key)
      const { officeId, sha256 } = address
      const named = { officeId, sha256, file: newFilePath(open, address, nonce) }
      const wrappedKey = wrapFileKey(open, randomBytes(SEAL_NONCE_BYTES), fileKey, named)
      return { ...named, bytes, officeKeyId: key.id, wrappedKey, storedAt: clock.now() }
    },
    /** @throws {Problem} `secret-unreadable` without the key of the vault; `stored-file-damaged` */
    async keyOf(file: StoredFile): Promise<Uint8Array> {
      const open = opened.get(file.officeKeyId) ?? openedKey(await officeKeyOf(file))
      const fileKey = unwrapFileKey(open, file.wrappedKey, file)
      if (!fileKey)
        throw new Problem('stored-file-damaged', `the key of ${file.file} does not open`)
      return fileKey
    },
  }

  async function officeKeyOf({ officeKeyId }: StoredFile): Promise<OfficeKey> {
    const key = await records.findKey(officeKeyId)
    if (!key) throw new Error(`there is no office key ${officeKeyId}`)
    return key
  }
}

function firstOfficeKey(vault: Vault, clock: Clock, officeId: OfficeId): OfficeKey {
  const id = OfficeKeyId.parse(randomUUID())
  return newOfficeKey({ id, officeId, number: 1, madeAt: clock.now() }, (place) =>
    vault.seal(randomBytes(OFFICE_KEY_BYTES), place),
  )
}
