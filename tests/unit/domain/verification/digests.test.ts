import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ByteSource, memorySource } from '#server/domain/bytes.ts'
import { digestOfPrepared } from '#server/domain/signing/digest-of-prepared.ts'
import { type ByteRange, digestRanges } from '#server/domain/verification/digests.ts'

const file = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) & 0xff)
const hashOf = (algorithm: string, ...parts: Uint8Array[]) => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

/** A source whose first bytes are already digested and cannot be read again. */
function digestedUpTo(length: number): ByteSource {
  const source = memorySource(file)
  return {
    ...source,
    read(start, end) {
      if (start < length) throw new Error(`${start} was digested already`)
      return source.read(start, end)
    },
    digested: { length, sha256: () => createHash('sha256').update(file.subarray(0, length)) },
  }
}

const ranges: ByteRange[] = [
  [0, 400, 500, 100],
  [0, 800, 900, 100],
]
const rangeDigest = (algorithm: string, [, end, start, length]: ByteRange) =>
  hashOf(algorithm, file.subarray(0, end), file.subarray(start, start + length))

describe.each([
  ['nothing was digested', memorySource(file)],
  ['the beginning was', digestedUpTo(300)],
  ['all before the first gap was', digestedUpTo(400)],
])('%s', (_, source) => {
  test('the file and its ranges have the digests that they have', () => {
    const requests = ranges.map((byteRange) => ({ algorithm: 'sha256' as const, byteRange }))
    const { whole, ranges: found } = digestRanges(source, requests)
    expect(whole).toEqual(hashOf('sha256', file))
    expect(found).toEqual(ranges.map((range) => rangeDigest('sha256', range)))
  })
})

test('digest: is not reused across a gap or for another algorithm', () => {
  const whole = memorySource(file)
  const source = { ...digestedUpTo(700), read: whole.read }
  const requests = (['sha256', 'sha512'] as const).flatMap((algorithm) =>
    ranges.map((byteRange) => ({ algorithm, byteRange })),
  )
  const { whole: all, ranges: found } = digestRanges(source, requests)
  expect(all).toEqual(hashOf('sha256', file))
  expect(found).toEqual(
    requests.map(({ algorithm, byteRange }) => rangeDigest(algorithm, byteRange)),
  )
})

test('all of it was digested: the file alone is not read again', () => {
  expect(digestRanges(digestedUpTo(1000), []).whole).toEqual(hashOf('sha256', file))
})

test.each([0, 400, 1000])('a signature is prepared on %s digested bytes', (length) => {
  const increment = Uint8Array.from({ length: 60 }, (_, index) => index)
  const prepared = digestOfPrepared(digestedUpTo(length), increment, { start: 1010, end: 1040 })
  expect(prepared).toEqual({
    digest: hashOf('sha256', file, increment.subarray(0, 10), increment.subarray(40)),
    baseDigest: hashOf('sha256', file),
  })
})

test.each<[string, ByteRange]>([
  ['begins later', [1, 400, 500, 100]],
  ['ends behind the file', [0, 400, 500, 600]],
  ['has its gap behind the file', [0, 1400, 1500, 0]],
  ['is shorter than nothing', [0, 400, 500, -100]],
])('digest: a range that %s is refused', (_, byteRange) => {
  expect(() => digestRanges(memorySource(file), [{ algorithm: 'sha256', byteRange }])).toThrow(
    RangeError,
  )
})
