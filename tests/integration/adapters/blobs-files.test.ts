import { randomUUID } from 'node:crypto'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { payloadKey, streamOpener } from '#server/domain/age/stream.ts'
import { concatBytes } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { blobFolder, filesIn, longText, textOf } from '#tests/support/blob-folder.ts'
import { testFileRecords, testKeyParts } from '#tests/support/file-records.ts'

const bytes = new TextEncoder().encode('una escritura')
const officeId = OfficeId.parse(randomUUID())
const address = { officeId, sha256: sha256(bytes) }
const folder = blobFolder()

test('nothing on the disk can be read or names the content, also before it is kept', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const content = longText(200_000)
  const staged = await blobs.stage([content], 1e6)
  const open = await blobs.stage([content], 1e6, { isPublic: true })
  await staged.keep(officeId)
  await blobs.append({ officeId, sha256: staged.sha256 }, bytes)
  const all = filesIn(folder.path())
  expect(all).toHaveLength(3)
  for (const file of all) {
    expect(readFileSync(file).includes('escritura')).toBe(false)
    expect(file).not.toContain(staged.sha256)
  }
  await open.discard()
})

test('a stored file is the payload of an age file', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const content = longText(150_000)
  const staged = await blobs.stage([content], 1e6)
  await staged.keep(officeId)
  const onDisk = readFileSync(folder.stored()[0]!)
  const { fileKey } = await blobs.withFile(
    { officeId, sha256: staged.sha256 },
    async (file) => file,
  )
  const opener = streamOpener(payloadKey(fileKey!, onDisk.subarray(0, 16)))
  const opened = concatBytes(...opener.update(onDisk.subarray(16)), opener.final())
  expect(Buffer.compare(opened, content)).toBe(0)
})

test('a reader gets the path and key of one file, and nothing else', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await (await blobs.stage([bytes], 100)).keep(officeId)
  const file = await blobs.withFile(address, async (given) => structuredClone(given))
  expect(Object.keys(file).toSorted()).toEqual(['fileKey', 'length', 'path'])
  expect(file.fileKey).toHaveLength(16)
  expect(await textOf(file)).toBe('una escritura')
})

test.each(['keep', 'place'] as const)('%s: waits until the disk has the bytes', async (name) => {
  const disk = await slowDisk()
  try {
    const records = testFileRecords()
    const blobs = await createFileBlobs(folder.path(), testKeyParts(records))
    const staged = await blobs.stage([bytes], 100)
    expect(await textOf(staged.file)).toBe('una escritura')
    const done = staged[name](officeId)
    await pause(30)
    expect([folder.stored(), records.files.size]).toEqual([[], 0])
    disk.release()
    await done
    expect(folder.stored()).toHaveLength(1)
  } finally {
    disk.restore()
  }
})

test.each(['keep', 'place'] as const)(
  '%s: refused if the disk did not take the bytes',
  async (name) => {
    const disk = await slowDisk()
    try {
      const records = testFileRecords()
      const blobs = await createFileBlobs(folder.path(), testKeyParts(records))
      const staged = await blobs.stage([bytes], 100)
      disk.fail()
      await expect(staged[name](officeId)).rejects.toThrow('I/O error')
      await staged.discard()
      expect([folder.stored(), folder.incoming(), records.files.size]).toEqual([[], [], 0])
    } finally {
      disk.restore()
    }
  },
)

/** The first file that is flushed waits until this is released, or fails. */
async function slowDisk() {
  const handle = await open(folder.path(), 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const flush = vi.spyOn(prototype, 'sync').mockReturnValueOnce(promise)
  return {
    release: () => resolve(),
    fail: () => reject(new Error('I/O error')),
    restore: () => flush.mockRestore(),
  }
}

test('two processes that start at once clear the same litter', async () => {
  await createFileBlobs(folder.path(), testKeyParts())
  for (let i = 0; i < 200; i++) {
    const litter = join(folder.path(), 'incoming', `left-${i}`)
    writeFileSync(litter, bytes)
    utimesSync(litter, 0, 0)
  }
  const starting = Array.from({ length: 8 }, async (_, index) => {
    await pause(index)
    await createFileBlobs(folder.path(), testKeyParts())
  })
  await Promise.all(starting)
  expect(folder.incoming()).toEqual([])
})

test('appended file: discard removes it', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await (await blobs.stage([bytes], 100)).discard()
  expect(folder.incoming()).toEqual([])
})

test('startup: removes leftovers of a crash, but not files that another process is writing', async () => {
  await createFileBlobs(folder.path(), testKeyParts())
  for (const file of ['old', 'new']) writeFileSync(join(folder.path(), 'incoming', file), 'x')
  utimesSync(join(folder.path(), 'incoming', 'old'), 1000, 1000)
  await createFileBlobs(folder.path(), testKeyParts())
  expect(folder.incoming()).toEqual([join(folder.path(), 'incoming', 'new')])
})
