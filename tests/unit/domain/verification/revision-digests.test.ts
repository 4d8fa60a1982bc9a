import { Hash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { revisionDigests } from '#server/domain/verification/revision-digests.ts'

const file = '%PDF-1.7\none\n%%EOF\r\ntwo %%EO%%EOF\nthree\n%%EOF'
const first = '%PDF-1.7\none\n%%EOF'
const second = `${first}\r\ntwo %%EO%%EOF`

test.each([1, 2, 3, 5, 7, 1000])('finds every revision in chunks of %i bytes', (size) => {
  const digests = revisionDigests()
  const bytes = Buffer.from(file)
  for (let at = 0; at < bytes.length; at += size) digests.add(bytes.subarray(at, at + size))
  expect(new Set(digests.end())).toEqual(
    new Set(
      [first, `${first}\r`, `${first}\r\n`, second, `${second}\n`, file].map((text) =>
        sha256(text),
      ),
    ),
  )
})

test('a file without an end has none', () => {
  const digests = revisionDigests()
  digests.add(Buffer.from('no revision here %%EO'))
  expect(digests.end()).toEqual([])
})

test('of a file that was changed many times, only the first revisions are digested', () => {
  const digests = revisionDigests()
  digests.add(Buffer.from('one %%EOF '.repeat(70)))
  expect(digests.end()).toHaveLength(64)
})

test('a chunk is digested when it passes, so that a large file is never held', () => {
  const update = vi.spyOn(Hash.prototype, 'update')
  const digested = () => update.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0)
  try {
    const digests = revisionDigests()
    for (const passed of [1, 2, 3]) {
      digests.add(Buffer.alloc(10_000))
      expect(digested()).toBeGreaterThan(passed * 10_000 - 5)
    }
  } finally {
    update.mockRestore()
  }
})
