import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { payloadKey, streamOpener } from '#server/domain/age/stream.ts'
import { concatBytes } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { blobFolder, filesIn, longText, textOf } from '#tests/support/blob-folder.ts'
import { testFileRecords, testKeyParts } from '#tests/support/file-records.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

const bytes = new TextEncoder().encode('una escritura')
const officeId = OfficeId.parse(randomUUID())
const address = { officeId, sha256: sha256(bytes) }
const folder = blobFolder()

test('a stored blob can be opened', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const staged = await blobs.stage([bytes.subarray(0, 4), bytes.subarray(4)], 100)
  expect(staged).toMatchObject({ sha256: address.sha256, bytes: bytes.length })
  expect(await textOf(staged.file)).toBe('una escritura')
  expect(await new Response(staged.stream(4, 13)).text()).toBe('escritura')
  await expect(blobs.size(address)).rejects.toThrow('ENOENT')

  await staged.keep(officeId)
  await staged.keep(officeId)
  await staged.discard()
  expect(await blobs.size(address)).toBe(bytes.length)
  expect(await blobs.withFile(address, textOf)).toBe('una escritura')
  expect(await new Response(blobs.stream(address, 4, 13)).text()).toBe('escritura')
  expect(await new Response(blobs.stream(address, 4, 4)).text()).toBe('')
  expect(folder.incoming()).toEqual([])
})

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

test('each file has a key of its own, and an appended one a new key', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const keyOf = async (content: Uint8Array) => {
    const staged = await blobs.stage([content], 1e6)
    await staged.keep(officeId)
    const file = { officeId, sha256: staged.sha256 }
    return await blobs.withFile(file, async ({ fileKey }) => Buffer.from(fileKey!).toString('hex'))
  }
  const appended = async () => {
    const { file, discard } = await blobs.append(address, bytes)
    await discard()
    return Buffer.from(file.fileKey!).toString('hex')
  }
  const keys = [await keyOf(bytes), await keyOf(longText(9)), await appended(), await appended()]
  expect(new Set(keys).size).toBe(4)
})

test('a reader gets the path and key of one file, and nothing else', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await (await blobs.stage([bytes], 100)).keep(officeId)
  const file = await blobs.withFile(address, async (given) => structuredClone(given))
  expect(Object.keys(file).toSorted()).toEqual(['fileKey', 'length', 'path'])
  expect(file.fileKey).toHaveLength(16)
  expect(await textOf(file)).toBe('una escritura')
})

test('the same content is stored once an office, and two offices share nothing', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const other = OfficeId.parse(randomUUID())
  for (const office of [officeId, officeId, other])
    await (await blobs.stage([bytes], 100)).keep(office)
  const names = folder.stored().map((file) => file.slice(folder.path().length + 1).split('/'))
  expect(names.map(([office]) => office).toSorted()).toEqual([officeId, other].toSorted())
  const [one, another] = names.map((parts) => parts[2]?.slice(0, 64))
  expect(one).not.toBe(another)
  expect(await bytesIn({ blobs }, { ...address, officeId: other })).toEqual(Buffer.from(bytes))
})

test('two machines that store the same content at once leave one readable file', async () => {
  const records = testFileRecords()
  const machines = [
    await createFileBlobs(folder.path(), testKeyParts(records)),
    await createFileBlobs(folder.path(), testKeyParts(records)),
  ]
  const staged = await Promise.all(
    Array.from({ length: 20 }, (_, index) => machines[index % 2]!.stage([bytes], 100)),
  )
  await Promise.all(staged.map((one) => one.keep(officeId)))
  expect(folder.stored()).toHaveLength(1)
  expect(records.files.size).toBe(1)
  expect(records.keys).toHaveLength(1)
  for (const blobs of machines)
    expect(await bytesIn({ blobs }, address)).toEqual(Buffer.from(bytes))
})

test('a file without a row is not read, and the same content is stored again', async () => {
  const records = testFileRecords()
  const blobs = await createFileBlobs(folder.path(), testKeyParts(records))
  const crashing = await createFileBlobs(
    folder.path(),
    testKeyParts({ ...records, add: () => Promise.reject(new Error('power cut')) }),
  )
  const staged = await crashing.stage([bytes], 100)
  await expect(staged.keep(officeId)).rejects.toThrow('power cut')
  await expect(blobs.size(address)).rejects.toThrow('ENOENT')
  await (await blobs.stage([bytes], 100)).keep(officeId)
  expect(await blobs.withFile(address, textOf)).toBe('una escritura')
})

test('a row without its file: storing the same content again repairs it', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await (await blobs.stage([bytes], 100)).keep(officeId)
  rmSync(folder.stored()[0]!)
  await expect(blobs.size(address)).rejects.toThrow('ENOENT')
  await (await blobs.stage([bytes], 100)).keep(officeId)
  expect(await blobs.withFile(address, textOf)).toBe('una escritura')
})

test('ranges: any part of a file of several chunks', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const content = longText(700_001)
  const staged = await blobs.stage([content], 1e6)
  await staged.keep(officeId)
  const file = { officeId, sha256: staged.sha256 }
  const ranges = [
    [0, 1],
    [65_535, 65_537],
    [65_536, 131_072],
    [524_287, 600_000],
    [700_000, 700_001],
  ]
  for (const [start, end] of ranges as [number, number][]) {
    const expected = Buffer.from(content.subarray(start, end))
    expect(Buffer.from(await new Response(blobs.stream(file, start, end)).bytes())).toEqual(
      expected,
    )
    const read = await blobs.withFile(file, (given) =>
      withReadable(given, (source) => Buffer.from(source.read(start, end))),
    )
    expect(read).toEqual(expected)
  }
  await expect(new Response(blobs.stream(file, 0, 700_002)).bytes()).rejects.toThrow()
})

test.each([
  ['one chunk', 65_536],
  ['as much as is written at once', 524_288],
  ['a byte more', 524_289],
  ['a byte less', 524_287],
  ['twice as much', 1_048_576],
])('a file of %s is stored whole', async (_, length) => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const content = longText(length)
  const staged = await blobs.stage([content.subarray(0, 70_000), content.subarray(70_000)], 2e6)
  await staged.keep(officeId)
  const stored = await bytesIn({ blobs }, { officeId, sha256: sha256(content) })
  expect(Buffer.compare(stored, content)).toBe(0)
})

test('an empty file is stored and read', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const staged = await blobs.stage([], 100)
  await staged.keep(officeId)
  expect(await blobs.withFile({ officeId, sha256: staged.sha256 }, textOf)).toBe('')
})

test('upload: one over the limit leaves nothing', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await expect(blobs.stage([bytes], bytes.length - 1)).rejects.toMatchObject({ code: 'too-large' })
  expect((await blobs.stage([bytes], bytes.length)).bytes).toBe(bytes.length)
})

test('upload: an interrupted one leaves nothing', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  async function* broken() {
    yield bytes
    throw new Error('gone')
  }
  await expect(blobs.stage(broken(), 100)).rejects.toThrow('gone')
  expect(folder.incoming()).toEqual([])
})

test('append: makes a new blob, visible once it is named and kept', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await (await blobs.stage([bytes], 100)).keep(officeId)
  const tail = new TextEncoder().encode(' firmada')
  const appended = await blobs.append(address, tail)
  const staged = appended.named(sha256(await textOf(appended.file)))
  expect(staged.bytes).toBe(bytes.length + tail.length)
  const next = { officeId, sha256: staged.sha256 }
  await expect(blobs.size(next)).rejects.toThrow('ENOENT')
  await staged.keep(officeId)
  expect((await bytesIn({ blobs }, next)).toString()).toBe('una escritura firmada')
  expect(await blobs.size(address)).toBe(bytes.length)
  expect(folder.incoming()).toEqual([])
})

test('append: leaves no file if the blob is missing or the new one is discarded', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await expect(blobs.append(address, bytes)).rejects.toThrow('ENOENT')
  await (await blobs.stage([bytes], 100)).keep(officeId)
  await (await blobs.append(address, bytes)).discard()
  expect(folder.incoming()).toEqual([])
})

test('place: the file lies under its name, and is read only with its row', async () => {
  const records = testFileRecords()
  const blobs = await createFileBlobs(folder.path(), testKeyParts(records))
  const staged = await blobs.stage([bytes], 100)
  const placed = await staged.place(officeId)
  await staged.discard()
  expect(folder.incoming()).toEqual([])
  expect(folder.stored()).toEqual([join(folder.path(), placed!.row.file)])
  await expect(blobs.size(address)).rejects.toThrow('ENOENT')
  await records.add(placed!.row)
  expect(await blobs.withFile(address, textOf)).toBe('una escritura')
})

test('place: a file that is taken back can be discarded', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  const staged = await blobs.stage([bytes], 100)
  const placed = await staged.place(officeId)
  await placed!.takeBack()
  expect(await textOf(staged.file)).toBe('una escritura')
  await staged.discard()
  expect([...folder.stored(), ...folder.incoming()]).toEqual([])
})

test('place: a content that the office has needs no row, and is stored again if its file is lost', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await (await blobs.stage([bytes], 100)).keep(officeId)
  const twin = await blobs.stage([bytes], 100)
  expect(await twin.place(officeId)).toBeUndefined()
  await twin.discard()
  expect(folder.stored()).toHaveLength(1)
  rmSync(folder.stored()[0]!)
  const again = await blobs.stage([bytes], 100)
  expect(await again.place(officeId)).toBeUndefined()
  await again.discard()
  expect(await blobs.withFile(address, textOf)).toBe('una escritura')
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

test('a name that is not a SHA-256 digest opens no file', async () => {
  const blobs = await createFileBlobs(folder.path(), testKeyParts())
  await expect(blobs.size({ officeId, sha256: '../../etc/passwd' as never })).rejects.toThrow(
    'Invalid string: must match pattern',
  )
})
