import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stageAppended } from '#server/adapters/appended-file.ts'
import { copyAndReadBack, readBack } from '#server/adapters/copied-pieces.ts'

const MB = 1 << 20
const bytesOf = (length: number) =>
  Buffer.alloc(length).map((_, index) => (index * 31 + (index >> 9)) & 0xff)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function aFolder(length: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-appended-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const base = path.join(folder, 'base')
  const content = bytesOf(length)
  writeFileSync(base, content)
  return { folder, base, target: path.join(folder, 'target'), content }
}

/* None, less than a piece, several with and without a rest, and enough to be flushed in between. */
test.each([0, 1, 512 << 10, 3 * MB + 7, 40 * MB])(
  'a copy of %s bytes is that, and more',
  async (length) => {
    const { folder, base, target, content } = aFolder(length)
    const staged = stageAppended(base, target)
    const copied = await staged.copied()
    expect(copied.length).toBe(length)
    // Each asks for a hash of their own.
    copied.sha256().update('spoilt')
    expect(copied.sha256().digest('hex')).toBe(sha256(content))
    await staged.append(Buffer.from('more'))
    expect(readdirSync(folder)).not.toContain('target')
    await staged.keep()
    expect(readFileSync(target).equals(Buffer.concat([content, Buffer.from('more')]))).toBe(true)
    expect(readdirSync(folder)).toEqual(['base', 'target'])
  },
)

test('existing key files are read unchanged', async () => {
  const { base, content } = aFolder(3 * MB + 7)
  const file = await open(base)
  onTestFinished(() => file.close())
  expect((await readBack(file, content.length)).digest('hex')).toBe(sha256(content))
})

test('output file: never readable by more users than the original, not even while it is written', async () => {
  const { base, target } = aFolder(5 * MB)
  chmodSync(base, 0o400)
  const staged = stageAppended(base, target)
  await staged.copied()
  expect(statSync(staged.temporary).mode & 0o777).toBe(0o600)
  await staged.discard()
})

test.each([
  ['nothing is left when it is discarded', async () => {}],
  ['nor when that happens while it is copied', undefined],
])('%s', async (_, wait) => {
  const { folder, base, target } = aFolder(5 * MB)
  const staged = stageAppended(base, target)
  if (wait) await staged.copied()
  await staged.discard()
  expect(readdirSync(folder)).toEqual(['base'])
})

test('appended file: an unreadable source and an unwritable target are reported on use', async () => {
  const { folder, base } = aFolder(1)
  const nowhere = stageAppended(base, path.join(folder, 'none/target'))
  const nothing = stageAppended(path.join(folder, 'none'), path.join(folder, 'target'))
  for (const staged of [nowhere, nothing]) {
    await expect(staged.copied()).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(staged.append(new Uint8Array(1))).rejects.toMatchObject({ code: 'ENOENT' })
    await staged.discard()
  }
  expect(readdirSync(folder)).toEqual(['base'])
})

async function twoFiles(length: number) {
  const { base, target } = aFolder(length)
  const [from, to] = [await open(base), await open(target, 'w+')]
  onTestFinished(async () => {
    await from.close()
    await to.close()
  })
  return { from, to }
}

test('a disk that gives back another byte is found out', async () => {
  const { from, to } = await twoFiles(3 * MB)
  const write = to.write.bind(to)
  vi.spyOn(to, 'write').mockImplementation((async (
    bytes: Buffer,
    offset: number,
    length: number,
    position: number,
  ) => {
    const spoilt = Buffer.from(bytes)
    if (position <= 2 * MB && 2 * MB < position + length) spoilt[2 * MB - position]! ^= 1
    return write(spoilt, offset, length, position)
  }) as typeof to.write)
  await expect(copyAndReadBack(from, to, 3 * MB)).rejects.toThrow('gives back other bytes')
})

test('flush: an error between two flushes is reported', async () => {
  const { from, to } = await twoFiles(40 * MB)
  const broken = Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' })
  vi.spyOn(to, 'datasync').mockRejectedValueOnce(broken)
  await expect(copyAndReadBack(from, to, 40 * MB)).rejects.toBe(broken)
})

test('a file that becomes shorter meanwhile is no copy', async () => {
  const { from, to } = await twoFiles(MB)
  await expect(copyAndReadBack(from, to, 2 * MB)).rejects.toThrow('became shorter')
})
