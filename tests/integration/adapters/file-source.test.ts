import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFile } from '#server/adapters/file-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-file-'))
const length = 6_000_000
const content = Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 0xff)
const path = join(folder, 'file')
writeFileSync(path, content)
const file = openFile(path)
afterAll(() => {
  file.close()
  rmSync(folder, { recursive: true })
})

const same = (bytes: Uint8Array, start: number, end: number) =>
  Buffer.compare(bytes, content.subarray(start, end)) === 0

test.each([
  ['nothing', 5, 5],
  ['nothing at the end', length, length],
  ['the first byte', 0, 1],
  ['the last bytes', length - 10, length],
  ['across two chunks', (256 << 10) - 3, (256 << 10) + 3],
  ['one whole chunk', 256 << 10, 512 << 10],
  ['everything', 0, length],
])('reads %s', (_, start, end) => {
  expect(file.length).toBe(length)
  expect(same(file.read(start, end), start, end)).toBe(true)
})

test('file source: bytes stay valid while other places are read', () => {
  const early = file.read(100, 200)
  for (let start = 0; start < length - 50; start += 99_991)
    expect(same(file.read(start, start + 50), start, start + 50)).toBe(true)
  expect(same(early, 100, 200)).toBe(true)
})

test.each([
  [-1, 5],
  [5, 4],
  [0, length + 1],
  [Number.NaN, 5],
  [0, Number.NaN],
])('%s..%s is out of range', (start, end) => {
  expect(() => file.read(start, end)).toThrow(RangeError)
})

test('a missing file', () => {
  expect(() => openFile(join(folder, 'nowhere'))).toThrow(/ENOENT/)
})
