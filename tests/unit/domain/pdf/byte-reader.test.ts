import { expect, test } from 'vitest'
import { type ByteSource, memorySource } from '#server/domain/bytes.ts'
import { byteReader } from '#server/domain/pdf/byte-reader.ts'

/** What a file keeps of itself: stretches between its multiples cost nothing to read again. */
const CHUNK = 64 << 10

function watched(bytes: Uint8Array): { source: ByteSource; longReads: () => number } {
  const source = memorySource(bytes)
  let longReads = 0
  const read = (start: number, end: number) => {
    const isKept = Math.floor(start / CHUNK) === Math.floor((end - 1) / CHUNK)
    if (!isKept && end - start > 64) longReads++
    return source.read(start, end)
  }
  return { source: { length: source.length, read }, longReads: () => longReads }
}

function positionsOf(needle: string, source: ByteSource): number[] {
  const reader = byteReader(source)
  const found: number[] = []
  for (
    let at = reader.indexOf(needle, 0, source.length);
    at >= 0;
    at = reader.indexOf(needle, at + needle.length, source.length)
  )
    found.push(at)
  return found
}

test('search: finds every match, also across the edges of what is read at once', () => {
  const bytes = new Uint8Array(200_000)
  const places = [0, 32_766, 65_534, 98_303, 131_071, 163_840, 199_997]
  for (const place of places) bytes.set([0x6f, 0x62, 0x6a], place)
  expect(positionsOf('obj', memorySource(bytes))).toEqual(places)
})

test('search: finds nothing beyond its end', () => {
  const reader = byteReader(memorySource(new Uint8Array(Buffer.from('12345obj'))))
  expect(reader.indexOf('obj', 0, 7)).toBe(-1)
  expect(reader.indexOf('obj', 6, 8)).toBe(-1)
  expect(reader.indexOf('obj', 5, 100)).toBe(5)
})

test('search: reads only what the file keeps, however many matches there are', () => {
  const text = `obj${' '.repeat(61)}`.repeat(8000)
  const { source, longReads } = watched(new Uint8Array(Buffer.from(text)))
  expect(positionsOf('obj', source)).toHaveLength(8000)
  expect(longReads()).toBe(0)
})
