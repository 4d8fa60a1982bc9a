import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { openObjects, type S3Place } from '#server/adapters/blobs/s3-objects.ts'
import { PART } from '#server/adapters/blobs/s3-store.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { longText, textOf } from '#tests/support/blob-folder.ts'
import { machineWith, namesIn, testFolders } from '#tests/support/each-store.ts'
import { type Fault, faultyProxy, type Passed } from '#tests/support/faulty-proxy.ts'
import { testFileRecords } from '#tests/support/file-records.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { swiftServer } from '#tests/support/swift-of-tests.ts'

const swift = swiftServer()
const folders = testFolders()
const officeId = OfficeId.parse(randomUUID())
const CHUNK = 65_552

/** Machines of one office, behind a proxy that may fail. */
async function office() {
  const proxy = await faultyProxy(swift().endpoint)
  const place = await swift().newPlace(proxy.endpoint)
  const direct = { ...place, endpoint: swift().endpoint }
  const records = testFileRecords()
  const machine = (limit?: number, folder = folders.another()) =>
    machineWith(place, folder, records, limit)
  return { proxy, place: direct, records, machine }
}

type Machine = Awaited<ReturnType<typeof machineWith>>

async function kept({ blobs }: Machine, content: Uint8Array) {
  const staged = await blobs.stage([content], 1e9)
  await staged.keep(officeId)
  return { officeId, sha256: staged.sha256 }
}

const isRead = ({ method, path }: Passed) => method === 'GET' && path.includes(officeId)
const isWrite = ({ method }: Passed) => method === 'PUT'

/** Text that differs at each place. */
function numbered(length: number): Buffer {
  const content = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) content.writeUInt32BE(at, at)
  return content
}

describe('reading on another machine', () => {
  test('a part of a file that is not here: fetches its chunks and not the file', async () => {
    const { proxy, machine } = await office()
    const content = numbered(5_000_000)
    const file = await kept(await machine(), content)
    const { blobs, copies } = await machine()
    const before = proxy.sent()
    const part = await new Response(blobs.stream(file, 2_500_000, 2_500_100)).bytes()
    expect(Buffer.from(part)).toEqual(content.subarray(2_500_000, 2_500_100))
    expect(proxy.sent() - before).toBeLessThan(2 * CHUNK)
    expect(copies()).toEqual([])
  })

  test('a file that many want at once is fetched once, and not again', async () => {
    const { proxy, machine } = await office()
    const content = numbered(3_000_000)
    const file = await kept(await machine(), content)
    const { blobs } = await machine()
    const before = proxy.sent()
    const lengths = await Promise.all(
      Array.from({ length: 20 }, () => blobs.withFile(file, async ({ length }) => length)),
    )
    expect(new Set(lengths)).toEqual(new Set([content.length]))
    const fetched = proxy.sent() - before
    expect(fetched).toBeGreaterThan(content.length)
    expect(fetched).toBeLessThan(1.1 * content.length)
    const requests = proxy.seen.length
    expect(await blobs.withFile(file, textOf)).toBe(content.toString())
    expect(
      Buffer.compare(
        await bytesIn({ blobs: { ...blobs, size: async () => content.length } }, file),
        content,
      ),
    ).toBe(0)
    expect(proxy.seen.length).toBe(requests)
  })

  test('a file that was just written here is not fetched', async () => {
    const { proxy, machine } = await office()
    const here = await machine()
    const file = await kept(here, longText(200_000))
    const requests = proxy.seen.length
    await here.blobs.withFile(file, textOf)
    expect(proxy.seen.length).toBe(requests)
  })

  test('parts of an upload are read on another machine, and cleared from there', async () => {
    const { machine } = await office()
    const key = new Uint8Array(16).fill(3)
    async function* sent() {
      yield longText(100_000)
    }
    const part = await (await machine()).blobs.parts.write(sent(), 1e6, () => key)
    const { parts } = (await machine()).blobs
    const read: Uint8Array[] = []
    for await (const piece of parts.pieces(part, key)) read.push(piece.slice())
    expect(Buffer.concat(read).equals(longText(100_000))).toBe(true)
    await parts.clear(0 as never)
    for await (const piece of parts.pieces(part, key)) expect(piece.length).toBeGreaterThan(0)
    await parts.clear((Date.now() + 60_000) as never)
    await expect(parts.pieces(part, key)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'stored-file-damaged',
    })
  })
})

describe('a store that fails for a moment', () => {
  const FAULTS: [string, Fault][] = [
    ['503 Slow Down', { kind: 'status', status: 503, code: 'SlowDown' }],
    ['500', { kind: 'status', status: 500, code: 'InternalError' }],
    ['a broken connection', { kind: 'reset' }],
    ['a lost answer', { kind: 'lost-answer' }],
  ]

  test.each(FAULTS)('%s: what is written arrives all the same', async (_, fault) => {
    const { proxy, machine } = await office()
    const here = await machine()
    proxy.failNext(2, fault, isWrite)
    const file = await kept(here, longText(300_000))
    const { blobs } = await machine()
    expect(Buffer.compare(await bytesIn({ blobs }, file), longText(300_000))).toBe(0)
  })

  test.each(FAULTS)('%s: a part of a large file arrives all the same', async (_, fault) => {
    const { proxy, machine } = await office()
    const here = await machine()
    const content = numbered(PART + 1_000_000)
    let left = 2
    proxy.failing(({ path }) => (path.includes('partNumber=2') && left-- > 0 ? fault : undefined))
    const file = await kept(here, content)
    const { blobs } = await machine()
    expect(Buffer.compare(await bytesIn({ blobs }, file), content)).toBe(0)
  })

  test.each<[string, Fault]>([
    ...FAULTS,
    ['an answer that is cut', { kind: 'cut', after: 10_000 }],
  ])('%s: what is read is whole', async (_, fault) => {
    const { proxy, machine } = await office()
    const content = numbered(2_000_000)
    const file = await kept(await machine(), content)
    const { blobs } = await machine()
    proxy.failNext(3, fault, isRead)
    expect(Buffer.compare(await bytesIn({ blobs }, file), content)).toBe(0)
    proxy.failNext(3, fault, isRead)
    expect(await blobs.withFile(file, textOf)).toBe(content.toString())
  })
})

describe('a store that stays broken', () => {
  const unreachable = { code: 'files-unreachable' }
  const broken: Fault = { kind: 'status', status: 503, code: 'ServiceUnavailable' }

  test('upload: refused, and nothing is left', async () => {
    const { proxy, machine, place } = await office()
    const { blobs, copies } = await machine()
    proxy.failing((passed) => (isWrite(passed) ? broken : undefined))
    const staged = await blobs.stage([longText(1000)], 1e6)
    await expect(staged.keep(officeId)).rejects.toMatchObject(unreachable)
    expect(await textOf(staged.file)).toBe(longText(1000).toString())
    await staged.discard()
    proxy.failing(() => undefined)
    expect([...(await namesIn(place)), ...copies()]).toEqual([])
  })

  test('upload of a large file: the parts that arrived are removed', async () => {
    const { proxy, machine, place } = await office()
    const { blobs } = await machine()
    proxy.failing(({ path }) => (path.includes('partNumber=3') ? broken : undefined))
    const staged = await blobs.stage([longText(3 * PART)], 1e9)
    await expect(staged.keep(officeId)).rejects.toMatchObject(unreachable)
    await staged.discard()
    expect(await namesIn(place)).toEqual([])
    expect(await unfinishedUploads(place)).toEqual([])
  })

  test('upload: a byte that changes on the way is noticed, and nothing is left', async () => {
    const { proxy, machine, place } = await office()
    const { blobs } = await machine()
    proxy.failing((passed) => (isWrite(passed) ? { kind: 'changed-request' } : undefined))
    const staged = await blobs.stage([longText(1000)], 1e6)
    await expect(staged.keep(officeId)).rejects.toMatchObject(unreachable)
    proxy.failing(() => undefined)
    expect(await namesIn(place)).toEqual([])
  })

  test('reading: refused, and the file is not called damaged or missing', async () => {
    const { proxy, machine } = await office()
    const file = await kept(await machine(), longText(1000))
    const { blobs } = await machine()
    proxy.failing((passed) => (passed.path.includes(officeId) ? broken : undefined))
    await expect(blobs.size(file)).rejects.toMatchObject(unreachable)
    await expect(blobs.withFile(file, textOf)).rejects.toMatchObject(unreachable)
    await expect(new Response(blobs.stream(file, 0, 1000)).bytes()).rejects.toMatchObject(
      unreachable,
    )
  })
})

describe('a store that accepts connections and stays silent', () => {
  const patience = { connectionTimeout: 1000, socketTimeout: 200, requestTimeout: 10_000 }
  const content = numbered(300_000)

  /** An object, and what reads and writes it through the proxy. */
  async function anObject() {
    const { proxy, place } = await office()
    await (await openObjects(place, 'the test')).put('one', content)
    const objects = await openObjects({ ...place, endpoint: proxy.endpoint }, 'it', patience)
    return { proxy, objects }
  }

  test.each<[string, Fault]>([
    ['no answer', { kind: 'silent' }],
    ['an answer that stops', { kind: 'stalled', after: 10_000 }],
  ])('%s: what is read is whole', async (_, fault) => {
    const { proxy, objects } = await anObject()
    proxy.failNext(2, fault)
    const read = Buffer.alloc(content.length)
    await objects.fill('one', read, 0)
    expect(Buffer.compare(read, content)).toBe(0)
  })

  test('no answer: what is written arrives all the same', async () => {
    const { proxy, objects } = await anObject()
    proxy.failNext(2, { kind: 'silent' })
    await objects.put('two', content)
    expect(await objects.size('two')).toBe(content.length)
  })

  test.each<[string, Fault]>([
    ['no answer', { kind: 'silent' }],
    ['an answer that stops', { kind: 'stalled', after: 0 }],
  ])('%s, ever: given up', async (_, fault) => {
    const { proxy, objects } = await anObject()
    proxy.failing(() => fault)
    const read = Buffer.alloc(content.length)
    await expect(objects.fill('one', read, 0)).rejects.toMatchObject({ code: 'files-unreachable' })
  })
})

async function unfinishedUploads({ bucket, endpoint, region, credentials }: S3Place) {
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true } as never)
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
  return Uploads
}

describe('the local copies', () => {
  const MEGABYTE = 1_000_000

  /** Bytes of these files. */
  const sizeOf = (files: readonly string[]) => files.length * (MEGABYTE + 16 * 17)

  test('stay within their limit; those that were not used longest go first', async () => {
    const { proxy, machine } = await office()
    const writer = await machine()
    const files: FileAddress[] = []
    for (let n = 0; n < 8; n += 1)
      files.push(await kept(writer, numbered(MEGABYTE + 16).subarray(16 - n, MEGABYTE + 16 - n)))
    const { blobs, copies } = await machine(4 * MEGABYTE)
    for (const file of files) {
      await blobs.withFile(file, async () => {})
      await blobs.withFile(files[0]!, async () => {})
      expect(sizeOf(copies())).toBeLessThanOrEqual(4 * MEGABYTE)
    }
    const requests = proxy.seen.length
    await blobs.withFile(files[0]!, async () => {})
    expect(proxy.seen.length).toBe(requests)
    await blobs.withFile(files[1]!, async () => {})
    expect(proxy.seen.length).toBeGreaterThan(requests)
  })

  test('a file in use stays readable, although its copy makes room for others', async () => {
    const { machine } = await office()
    const writer = await machine()
    const files: FileAddress[] = []
    for (let n = 0; n < 5; n += 1)
      files.push(await kept(writer, numbered(MEGABYTE + 16).subarray(16 - n, MEGABYTE + 16 - n)))
    const { blobs } = await machine(1.5 * MEGABYTE)
    const text = await blobs.withFile(files[0]!, async (file) => {
      for (const other of files.slice(1)) await blobs.withFile(other, async () => {})
      return await textOf(file)
    })
    expect(text).toHaveLength((await bytesIn({ blobs }, files[0]!)).toString().length)
  })

  test('none are kept with a limit of 0, and each reader still gets the file', async () => {
    const { machine } = await office()
    const file = await kept(await machine(), longText(200_000))
    const { blobs, copies } = await machine(0)
    const texts = await Promise.all([1, 2, 3].map(() => blobs.withFile(file, textOf)))
    expect(new Set(texts)).toEqual(new Set([longText(200_000).toString()]))
    expect(copies()).toEqual([])
  })

  test('are there after a restart', async () => {
    const { proxy, machine } = await office()
    const folder = folders.another()
    const file = await kept(await machine(10 * MEGABYTE, folder), longText(200_000))
    const { blobs } = await machine(10 * MEGABYTE, folder)
    const requests = proxy.seen.length
    await blobs.withFile(file, textOf)
    expect(proxy.seen.length).toBe(requests)
  })

  test.each<[string, (stored: Buffer) => Buffer]>([
    ['is not what was written', (stored) => Buffer.alloc(stored.length)],
    ['is cut', (stored) => stored.subarray(0, 100_000)],
    ['has a flipped bit behind its first chunk', (stored) => changed(stored, 3 * CHUNK)],
  ])('one that %s is fetched anew, and its readers get the file', async (_, damage) => {
    const { machine } = await office()
    const here = await machine()
    const content = numbered(400_000)
    const file = await kept(here, content)
    const spoil = () => {
      const [copy = ''] = here.copies()
      writeFileSync(copy, damage(readFileSync(copy)))
    }
    const whole = () =>
      here.blobs.withFile(file, (read) =>
        withReadable(read, (source) => Buffer.from(source.read(0, source.length))),
      )
    spoil()
    const read = await Promise.all(Array.from({ length: 8 }, whole))
    expect(read.map((one) => one.equals(content))).not.toContain(false)
    spoil()
    const streamed = await new Response(here.blobs.stream(file, 9, 400_000)).bytes()
    expect(content.subarray(9).equals(streamed)).toBe(true)
  })

  test('their folder may be removed while the server runs', async () => {
    const { machine } = await office()
    const folder = folders.another()
    const here = await machine(10 * MEGABYTE, folder)
    const file = await kept(here, longText(200_000))
    rmSync(`${folder}/cache`, { recursive: true })
    expect(await here.blobs.withFile(file, textOf)).toBe(longText(200_000).toString())
    rmSync(`${folder}/cache`, { recursive: true })
    await kept(here, longText(200_001))
  })

  test('one that disappears is fetched anew', async () => {
    const { machine } = await office()
    const here = await machine()
    const file = await kept(here, longText(200_000))
    rmSync(here.copies()[0]!)
    expect(await here.blobs.withFile(file, textOf)).toBe(longText(200_000).toString())
  })
})

describe('an object that is not what was written', () => {
  const content = longText(200_000)
  const damaged = { code: 'stored-file-damaged' }

  test.each<[string, (stored: Buffer) => Buffer]>([
    ['a flipped bit', (stored) => changed(stored, 70_000)],
    ['a flipped bit of the nonce', (stored) => changed(stored, 3)],
    ['a cut at the border of a chunk', (stored) => stored.subarray(0, 16 + 2 * CHUNK)],
    ['a cut to nothing', () => Buffer.alloc(0)],
    ['a byte more', (stored) => Buffer.concat([stored, Buffer.of(0)])],
  ])('%s: no reader gets a byte of what was changed', async (_, damage) => {
    const { machine, place } = await office()
    const file = await kept(await machine(), content)
    const [name] = await namesIn(place)
    const objects = await openObjects(place, 'the test')
    const stored = Buffer.alloc((await objects.size(name!))!)
    await objects.fill(name!, stored, 0)
    await objects.put(name!, damage(stored))
    const { blobs } = await machine()
    await expect(blobs.withFile(file, textOf)).rejects.toMatchObject(damaged)
    await expect(new Response(blobs.stream(file, 0, 200_000)).bytes()).rejects.toMatchObject(
      damaged,
    )
    await expect(blobs.append(file, content)).rejects.toMatchObject(damaged)
  })

  test('a missing one is missing, on this machine and on others', async () => {
    const { machine, place } = await office()
    const file = await kept(await machine(), content)
    const [name] = await namesIn(place)
    await (await openObjects(place, 'the test')).remove(name!)
    const { blobs } = await machine()
    await expect(blobs.size(file)).rejects.toThrow('ENOENT')
    await expect(blobs.withFile(file, textOf)).rejects.toThrow('ENOENT')
    await expect(new Response(blobs.stream(file, 0, 9)).bytes()).rejects.toThrow('ENOENT')
  })
})

const changed = (stored: Buffer, at: number): Buffer => {
  stored[at] = stored[at]! ^ 1
  return stored
}
