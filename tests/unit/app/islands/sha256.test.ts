import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '#app/islands/sha256.ts'

const judged = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function inPieces(bytes: Uint8Array, size: number): string {
  const hash = sha256()
  for (let at = 0; at < bytes.length; at += size) hash.add(bytes.subarray(at, at + size))
  return hash.end()
}

test.each([0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 65_537])(
  '%d bytes in pieces of any size',
  (length) => {
    const bytes = randomBytes(length)
    for (const size of [1, 7, 63, 64, 65, 4096]) expect(inPieces(bytes, size)).toBe(judged(bytes))
  },
)

/** @see FIPS 180-4, examples */
test('a million letters a', () => {
  const bytes = new Uint8Array(1_000_000).fill(0x61)
  expect(inPieces(bytes, 100_000)).toBe(
    'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  )
})
