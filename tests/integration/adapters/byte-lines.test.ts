import { expect, test } from 'vitest'
import { byteLines } from '#server/adapters/byte-lines.ts'

const chunksOf = async function* (text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const linesOf = async (text: string, size: number, limit = 100) =>
  (await Array.fromAsync(byteLines(chunksOf(text, size), limit))).map((line) =>
    new TextDecoder().decode(line),
  )

test.each([1, 2, 3, 7, 1000])('lines are whole, in pieces of %i bytes, too', async (size) => {
  expect(await linesOf('uno\n\nñandú\ntres', size)).toEqual(['uno', '', 'ñandú', 'tres'])
  expect(await linesOf('uno\ndos\n', size)).toEqual(['uno', 'dos'])
  expect(await linesOf('', size)).toEqual([])
})

test('an endless line is not kept in memory', async () => {
  const lines = await linesOf(`${'a'.repeat(1000)}\nb`, 10, 50)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60)
  expect(lines.join('')).toBe(`${'a'.repeat(1000)}b`)
})
