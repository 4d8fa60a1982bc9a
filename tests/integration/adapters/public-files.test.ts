import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { blobFolder, filesIn } from '#tests/support/blob-folder.ts'
import { testKeyParts } from '#tests/support/file-records.ts'

const bytes = new TextEncoder().encode('una escritura')
const folder = blobFolder()

describe('files of strangers', () => {
  const publicly = { isPublic: true }
  const place = () => join(folder.path(), 'incoming', 'public')
  const apart = () => filesIn(place())
  const busy = { code: 'verification-busy' }

  test('startup: removes what strangers left of a crash', async () => {
    const before = await createFileBlobs(folder.path(), testKeyParts())
    await before.stage([bytes], 100, publicly)
    expect(apart()).toHaveLength(1)
    for (const left of apart()) utimesSync(left, 1000, 1000)
    await createFileBlobs(folder.path(), testKeyParts())
    expect(apart()).toEqual([])
  })

  test('refused while together they take up their share, those of the office are not', async () => {
    const blobs = await createFileBlobs(folder.path(), testKeyParts(), 2 * bytes.length)
    const stagePublic = () => blobs.stage([bytes], 100, publicly)
    const [first, second] = [await stagePublic(), await stagePublic()]
    expect(apart()).toHaveLength(2)
    await expect(stagePublic()).rejects.toMatchObject(busy)
    await expect(blobs.stage([bytes], 100)).resolves.toMatchObject({ sha256: sha256(bytes) })

    await first.discard()
    await first.discard()
    const third = await stagePublic()
    await expect(stagePublic()).rejects.toMatchObject(busy)
    for (const staged of [second, third]) await staged.discard()
    expect(apart()).toEqual([])
  })

  test('one that is refused or breaks off gives its part back', async () => {
    const blobs = await createFileBlobs(folder.path(), testKeyParts(), 2 * bytes.length)
    async function* broken() {
      yield bytes
      throw new Error('gone')
    }
    const large = [bytes, bytes, bytes]
    await expect(blobs.stage(large, 100, publicly)).rejects.toMatchObject(busy)
    await expect(blobs.stage(large, bytes.length, publicly)).rejects.toMatchObject({
      code: 'too-large',
    })
    await expect(blobs.stage(broken(), 100, publicly)).rejects.toThrow('gone')
    expect(apart()).toEqual([])
    const whole = await blobs.stage([bytes, bytes], 100, publicly)
    await whole.discard()
  })
})
