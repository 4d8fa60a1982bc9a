import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { longText, textOf } from '#tests/support/blob-folder.ts'
import { onEachStore } from '#tests/support/each-store.ts'
import { testFileRecords } from '#tests/support/file-records.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

const bytes = new TextEncoder().encode('una escritura')
const officeId = OfficeId.parse(randomUUID())
const address = { officeId, sha256: sha256(bytes) }

onEachStore((store) => {
  test('a stored blob can be opened', async () => {
    const blobs = await store().blobs()
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
    expect(store().incoming()).toEqual([])
  })

  test('each file has a key of its own, and an appended one a new key', async () => {
    const blobs = await store().blobs()
    const keyOf = async (content: Uint8Array) => {
      const staged = await blobs.stage([content], 1e6)
      await staged.keep(officeId)
      const file = { officeId, sha256: staged.sha256 }
      return await blobs.withFile(file, async ({ fileKey }) =>
        Buffer.from(fileKey!).toString('hex'),
      )
    }
    const appended = async () => {
      const { file, discard } = await blobs.append(address, bytes)
      await discard()
      return Buffer.from(file.fileKey!).toString('hex')
    }
    const keys = [await keyOf(bytes), await keyOf(longText(9)), await appended(), await appended()]
    expect(new Set(keys).size).toBe(4)
  })

  test('the same content is stored once an office, and two offices share nothing', async () => {
    const blobs = await store().blobs()
    const other = OfficeId.parse(randomUUID())
    for (const office of [officeId, officeId, other])
      await (await blobs.stage([bytes], 100)).keep(office)
    const names = (await store().stored()).map((file) => file.split('/'))
    expect(names.map(([office]) => office).toSorted()).toEqual([officeId, other].toSorted())
    const [one, another] = names.map((parts) => parts[2]?.slice(0, 64))
    expect(one).not.toBe(another)
    expect(await bytesIn({ blobs }, { ...address, officeId: other })).toEqual(Buffer.from(bytes))
  })

  test('two machines that store the same content at once leave one readable file', async () => {
    const records = testFileRecords()
    const machines = [await store().blobs(records), await store().blobs(records)]
    const staged = await Promise.all(
      Array.from({ length: 20 }, (_, index) => machines[index % 2]!.stage([bytes], 100)),
    )
    await Promise.all(staged.map((one) => one.keep(officeId)))
    expect(await store().stored()).toHaveLength(1)
    expect(records.files.size).toBe(1)
    expect(records.keys).toHaveLength(1)
    for (const blobs of machines)
      expect(await bytesIn({ blobs }, address)).toEqual(Buffer.from(bytes))
  })

  test('a file without a row is not read, and the same content is stored again', async () => {
    const records = testFileRecords()
    const blobs = await store().blobs(records)
    const crashing = await store().blobs({
      ...records,
      add: () => Promise.reject(new Error('power cut')),
    })
    const staged = await crashing.stage([bytes], 100)
    await expect(staged.keep(officeId)).rejects.toThrow('power cut')
    await expect(blobs.size(address)).rejects.toThrow('ENOENT')
    await (await blobs.stage([bytes], 100)).keep(officeId)
    expect(await blobs.withFile(address, textOf)).toBe('una escritura')
  })

  test('a row without its file: storing the same content again repairs it', async () => {
    const blobs = await store().blobs()
    await (await blobs.stage([bytes], 100)).keep(officeId)
    await store().lose()
    await expect(blobs.size(address)).rejects.toThrow('ENOENT')
    await (await blobs.stage([bytes], 100)).keep(officeId)
    expect(await blobs.withFile(address, textOf)).toBe('una escritura')
  })

  test('ranges: any part of a file of several chunks', async () => {
    const blobs = await store().blobs()
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
    const blobs = await store().blobs()
    const content = longText(length)
    const staged = await blobs.stage([content.subarray(0, 70_000), content.subarray(70_000)], 2e6)
    await staged.keep(officeId)
    const stored = await bytesIn({ blobs }, { officeId, sha256: sha256(content) })
    expect(Buffer.compare(stored, content)).toBe(0)
  })

  test('an empty file is stored and read', async () => {
    const blobs = await store().blobs()
    const staged = await blobs.stage([], 100)
    await staged.keep(officeId)
    expect(await blobs.withFile({ officeId, sha256: staged.sha256 }, textOf)).toBe('')
  })

  test('upload: one over the limit leaves nothing', async () => {
    const blobs = await store().blobs()
    await expect(blobs.stage([bytes], bytes.length - 1)).rejects.toMatchObject({
      code: 'too-large',
    })
    expect((await blobs.stage([bytes], bytes.length)).bytes).toBe(bytes.length)
  })

  test('upload: an interrupted one leaves nothing', async () => {
    const blobs = await store().blobs()
    async function* broken() {
      yield bytes
      throw new Error('gone')
    }
    await expect(blobs.stage(broken(), 100)).rejects.toThrow('gone')
    expect(store().incoming()).toEqual([])
  })

  test('append: makes a new blob, visible once it is named and kept', async () => {
    const blobs = await store().blobs()
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
    expect(store().incoming()).toEqual([])
  })

  test('append: leaves no file if the blob is missing or the new one is discarded', async () => {
    const blobs = await store().blobs()
    await expect(blobs.append(address, bytes)).rejects.toThrow('ENOENT')
    await (await blobs.stage([bytes], 100)).keep(officeId)
    await (await blobs.append(address, bytes)).discard()
    expect(store().incoming()).toEqual([])
  })

  test('place: the file lies under its name, and is read only with its row', async () => {
    const records = testFileRecords()
    const blobs = await store().blobs(records)
    const staged = await blobs.stage([bytes], 100)
    const placed = await staged.place(officeId)
    await staged.discard()
    expect(store().incoming()).toEqual([])
    expect(await store().stored()).toEqual([placed!.row.file])
    await expect(blobs.size(address)).rejects.toThrow('ENOENT')
    await records.add(placed!.row)
    expect(await blobs.withFile(address, textOf)).toBe('una escritura')
  })

  test('place: a file that is taken back can be discarded', async () => {
    const blobs = await store().blobs()
    const staged = await blobs.stage([bytes], 100)
    const placed = await staged.place(officeId)
    await placed!.takeBack()
    expect(await textOf(staged.file)).toBe('una escritura')
    await staged.discard()
    expect([...(await store().stored()), ...store().incoming()]).toEqual([])
  })

  test('place: a content that the office has needs no row, and is stored again if its file is lost', async () => {
    const blobs = await store().blobs()
    await (await blobs.stage([bytes], 100)).keep(officeId)
    const twin = await blobs.stage([bytes], 100)
    expect(await twin.place(officeId)).toBeUndefined()
    await twin.discard()
    expect(await store().stored()).toHaveLength(1)
    await store().lose()
    const again = await blobs.stage([bytes], 100)
    expect(await again.place(officeId)).toBeUndefined()
    await again.discard()
    expect(await blobs.withFile(address, textOf)).toBe('una escritura')
  })

  test('a name that is not a SHA-256 digest opens no file', async () => {
    const blobs = await store().blobs()
    await expect(blobs.size({ officeId, sha256: '../../etc/passwd' as never })).rejects.toThrow(
      'Invalid string: must match pattern',
    )
  })
})
