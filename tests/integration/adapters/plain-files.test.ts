import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { blobFolder, textOf } from '#tests/support/blob-folder.ts'
import { testKeyParts } from '#tests/support/file-records.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

const bytes = new TextEncoder().encode('una escritura')
const officeId = OfficeId.parse(randomUUID())
const address = { officeId, sha256: sha256(bytes) }
const folder = blobFolder()

describe('files of earlier releases', () => {
  const shelf = () => join(folder.path(), address.sha256.slice(0, 2), address.sha256.slice(2, 4))
  const placePlain = () => {
    mkdirSync(shelf(), { recursive: true })
    writeFileSync(join(shelf(), address.sha256), bytes)
  }
  const listed = async (blobs: Awaited<ReturnType<typeof createFileBlobs>>) => {
    const found: string[] = []
    for await (const digest of blobs.plain.list()) found.push(digest)
    return found
  }

  test('are read as they are until they are encrypted, and then taken away', async () => {
    const blobs = await createFileBlobs(folder.path(), testKeyParts())
    expect(await listed(blobs)).toEqual([])
    placePlain()
    expect(await listed(blobs)).toEqual([address.sha256])
    expect(await blobs.withFile(address, textOf)).toBe('una escritura')
    expect((await bytesIn({ blobs }, address)).toString()).toBe('una escritura')
    await blobs.plain.encrypt(address)
    await blobs.plain.encrypt(address)
    expect(folder.stored()).toHaveLength(2)
    await blobs.plain.remove(address.sha256)
    await blobs.plain.remove(address.sha256)
    expect(await listed(blobs)).toEqual([])
    expect(readdirSync(folder.path()).toSorted()).toEqual([officeId, 'incoming'].toSorted())
    expect(await blobs.withFile(address, textOf)).toBe('una escritura')
  })

  test('a reader that has the path of a plain file gets the encrypted one when it is gone', async () => {
    const blobs = await createFileBlobs(folder.path(), testKeyParts())
    placePlain()
    let attempts = 0
    const read = await blobs.withFile(address, async (file) => {
      attempts += 1
      await blobs.plain.encrypt(address)
      await blobs.plain.remove(address.sha256)
      return await textOf(file)
    })
    expect([read, attempts]).toEqual(['una escritura', 2])
  })
})
