import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'

const bytes = new TextEncoder().encode('una escritura')
const name = sha256(bytes)
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rubrica-blobs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const incoming = (place = '') =>
  readdirSync(join(folder, 'incoming', place), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('a stored blob can be opened', async () => {
  const blobs = await createFileBlobs(folder)
  const staged = await blobs.stage([bytes.subarray(0, 4), bytes.subarray(4)], 100)
  expect(staged).toMatchObject({ sha256: name, bytes: bytes.length })
  expect(new Uint8Array(await readFile(staged.path))).toEqual(bytes)
  await expect(blobs.size(name)).rejects.toThrow('ENOENT')

  await staged.keep()
  await staged.keep()
  await staged.discard()
  expect(await blobs.size(name)).toBe(bytes.length)
  const read = await blobs.withFile(name, async (path) => new Uint8Array(await readFile(path)))
  expect(read).toEqual(bytes)
  expect(await new Response(blobs.stream(name, 4, 13)).text()).toBe('escritura')
  expect(await new Response(blobs.stream(name, 4, 4)).text()).toBe('')
  expect(incoming()).toEqual([])
})

test('the same content is stored once', async () => {
  const blobs = await createFileBlobs(folder)
  for (let i = 0; i < 2; i++) await (await blobs.stage([bytes], 100)).keep()
  expect(readdirSync(join(folder, name.slice(0, 2), name.slice(2, 4)))).toEqual([name])
})

test('upload: one over the limit leaves nothing', async () => {
  const blobs = await createFileBlobs(folder)
  await expect(blobs.stage([bytes], bytes.length - 1)).rejects.toMatchObject({ code: 'too-large' })
  expect((await blobs.stage([bytes], bytes.length)).bytes).toBe(bytes.length)
})

test('upload: an interrupted one leaves nothing', async () => {
  const blobs = await createFileBlobs(folder)
  async function* broken() {
    yield bytes
    throw new Error('gone')
  }
  await expect(blobs.stage(broken(), 100)).rejects.toThrow('gone')
  expect(incoming()).toEqual([])
})

test('append: makes a new blob, visible once it is named and kept', async () => {
  const blobs = await createFileBlobs(folder)
  await (await blobs.stage([bytes], 100)).keep()
  const tail = new TextEncoder().encode(' firmada')
  const appended = await blobs.append(name, tail)
  const staged = appended.named(sha256(await readFile(appended.path)))
  expect(staged.bytes).toBe(bytes.length + tail.length)
  await expect(blobs.size(staged.sha256)).rejects.toThrow('ENOENT')
  await staged.keep()
  const text = await new Response(blobs.stream(staged.sha256, 0, staged.bytes)).text()
  expect(text).toBe('una escritura firmada')
  expect(await blobs.size(name)).toBe(bytes.length)
  expect(incoming()).toEqual([])
})

test('append: leaves no file if the blob is missing or the new one is discarded', async () => {
  const blobs = await createFileBlobs(folder)
  await expect(blobs.append(name, bytes)).rejects.toThrow('ENOENT')
  await (await blobs.stage([bytes], 100)).keep()
  await (await blobs.append(name, bytes)).discard()
  expect(incoming()).toEqual([])
})

test('two processes that start at once clear the same litter', async () => {
  await createFileBlobs(folder)
  for (let i = 0; i < 200; i++) {
    const litter = join(folder, 'incoming', `left-${i}`)
    writeFileSync(litter, bytes)
    utimesSync(litter, 0, 0)
  }
  const starting = Array.from({ length: 8 }, async (_, index) => {
    await pause(index)
    await createFileBlobs(folder)
  })
  await Promise.all(starting)
  expect(incoming()).toEqual([])
})

test('appended file: discard removes it', async () => {
  const blobs = await createFileBlobs(folder)
  await (await blobs.stage([bytes], 100)).discard()
  expect(incoming()).toEqual([])
})

test('startup: removes leftovers of a crash, but not files that another process is writing', async () => {
  await createFileBlobs(folder)
  for (const file of ['old', 'new']) writeFileSync(join(folder, 'incoming', file), 'x')
  utimesSync(join(folder, 'incoming', 'old'), 1000, 1000)
  await createFileBlobs(folder)
  expect(incoming()).toEqual(['new'])
})

test('startup: removes what strangers left of a crash', async () => {
  await (await createFileBlobs(folder)).stage([bytes], 100, { isPublic: true })
  expect(incoming('public')).toHaveLength(1)
  for (const left of incoming('public'))
    utimesSync(join(folder, 'incoming', 'public', left), 1000, 1000)
  await createFileBlobs(folder)
  expect(incoming('public')).toEqual([])
})

test('files of strangers: refused while together they take up their share, those of the office are not', async () => {
  const blobs = await createFileBlobs(folder, 2 * bytes.length)
  const stagePublic = () => blobs.stage([bytes], 100, { isPublic: true })
  const [first, second] = [await stagePublic(), await stagePublic()]
  expect(incoming('public')).toHaveLength(2)
  await expect(stagePublic()).rejects.toMatchObject({ code: 'verification-busy' })
  await expect(blobs.stage([bytes], 100)).resolves.toMatchObject({ sha256: name })

  await first.discard()
  await first.discard()
  const third = await stagePublic()
  await expect(stagePublic()).rejects.toMatchObject({ code: 'verification-busy' })
  for (const staged of [second, third]) await staged.discard()
  expect(incoming('public')).toEqual([])
})

test('files of strangers: one that is refused or breaks off gives its part back', async () => {
  const blobs = await createFileBlobs(folder, 2 * bytes.length)
  async function* broken() {
    yield bytes
    throw new Error('gone')
  }
  const large = [bytes, bytes, bytes]
  await expect(blobs.stage(large, 100, { isPublic: true })).rejects.toMatchObject({
    code: 'verification-busy',
  })
  await expect(blobs.stage(large, bytes.length, { isPublic: true })).rejects.toMatchObject({
    code: 'too-large',
  })
  await expect(blobs.stage(broken(), 100, { isPublic: true })).rejects.toThrow('gone')
  expect(incoming('public')).toEqual([])
  const whole = await blobs.stage([bytes, bytes], 100, { isPublic: true })
  await whole.discard()
})

test('a name that is not a SHA-256 digest opens no file', async () => {
  const blobs = await createFileBlobs(folder)
  await expect(blobs.size('../../etc/passwd' as never)).rejects.toThrow(
    'Invalid string: must match pattern',
  )
})
