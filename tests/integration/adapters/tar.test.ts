import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTarPacker } from 'modern-tar'
import { expect, onTestFinished, test } from 'vitest'
import { BadArchiveError, entriesIn, tarOf } from '#server/adapters/backups/tar.ts'
import type { ArchiveEntry } from '#server/ports/archive-entry.ts'
import { judge } from '#tests/support/judges.ts'

const NAMES = ['respaldo.json', `files/${'a'.repeat(40)}/${'b'.repeat(120)}`, 'empty', 'large']
const contents = NAMES.map((name, index) => ({
  name,
  content: randomBytes([3, 512, 0, 1_500_001][index]!),
}))

async function* entriesOf(files: { name: string; content: Uint8Array }[]) {
  for (const { name, content } of files)
    yield { name, bytes: content.length, pieces: piecesOf(content) } satisfies ArchiveEntry
}

async function* piecesOf(content: Uint8Array, size = 100_003): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

const archive = () => wholeOf(tarOf(entriesOf(contents), new Date()))

async function unpacked(tar: Uint8Array) {
  const found: { name: string; content: Uint8Array }[] = []
  for await (const { name, pieces } of entriesIn(piecesOf(tar)))
    found.push({ name, content: await wholeOf(pieces) })
  return found
}

test('packed files are unpacked with their names and bytes', async () => {
  expect(await unpacked(await archive())).toEqual(contents)
})

test('an archive of ours: unpacked by tar, private to its owner', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-tar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'a.tar')
  await writeFile(file, await archive())
  const tar = judge('tar')
  expect(tar('-xf', file, '-C', folder)).toMatchObject({ status: 0, errors: '' })
  for (const { name, content } of contents)
    expect(readFileSync(path.join(folder, name))).toEqual(content)
  expect(tar('-tvf', file).output).toMatch(/^-rw------- /)
})

test('an archive that was cut anywhere, or has more behind its end, is refused', async () => {
  const whole = await archive()
  const cuts = [0, 100, 512, 1024, 2_000, whole.length - 1024, whole.length - 512]
  for (const length of cuts)
    await expect(unpacked(whole.subarray(0, length)), `${length}`).rejects.toThrow(BadArchiveError)
  const more = Buffer.concat([whole, Buffer.alloc(512, 1)])
  await expect(unpacked(more)).rejects.toThrow(BadArchiveError)
})

test.each(['symlink', 'link', 'directory', 'fifo'] as const)('a %s is refused', async (type) => {
  const { readable, controller } = createTarPacker()
  const added = controller.add({ name: 'files/a', size: 0, type, linkname: '/etc/passwd' })
  const packed = wholeOf(readable)
  await added.close()
  controller.finalize()
  await expect(unpacked(await packed)).rejects.toThrow(BadArchiveError)
})

test('a file that is not as long as it was said to be ends the archive with an error', async () => {
  async function* lying() {
    yield { name: 'files/a', bytes: 10, pieces: piecesOf(Buffer.alloc(9)) }
  }
  await expect(wholeOf(tarOf(lying(), new Date()))).rejects.toThrow()
})

test('a reader that stops early ends the source', async () => {
  let isEnded = false
  async function* endless() {
    try {
      for (let n = 0; ; n++)
        yield { name: `files/${n}`, bytes: 1 << 20, pieces: piecesOf(Buffer.alloc(1 << 20)) }
    } finally {
      isEnded = true
    }
  }
  for await (const _ of tarOf(endless(), new Date())) break
  expect(isEnded).toBe(true)
})

test('an error of the source arrives as it is', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield (await archive()).subarray(0, 3_000)
    throw new RangeError('of the source')
  }
  const reading = async () => {
    for await (const { pieces } of entriesIn(failing())) await wholeOf(pieces)
  }
  await expect(reading()).rejects.toThrow(RangeError)
})
