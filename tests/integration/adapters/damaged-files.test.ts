import { randomUUID } from 'node:crypto'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { OfficeId } from '#server/domain/ids.ts'
import { blobFolder, longText, textOf } from '#tests/support/blob-folder.ts'
import { testKeyParts } from '#tests/support/file-records.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

const bytes = new TextEncoder().encode('una escritura')
const officeId = OfficeId.parse(randomUUID())
const folder = blobFolder()

describe('a damaged file', () => {
  const content = longText(200_000)
  const damaged = { code: 'stored-file-damaged' }
  const CHUNK = 65_552

  async function kept() {
    const blobs = await createFileBlobs(folder.path(), testKeyParts())
    const staged = await blobs.stage([content], 1e6)
    await staged.keep(officeId)
    return { blobs, file: { officeId, sha256: staged.sha256 }, path: folder.stored()[0]! }
  }
  const flip = (path: string, at: number) => {
    const changed = readFileSync(path)
    changed[at] = changed[at]! ^ 1
    writeFileSync(path, changed)
  }

  test.each<[string, (path: string) => void]>([
    ['a flipped bit of the nonce', (path) => flip(path, 3)],
    ['a flipped bit of the first chunk', (path) => flip(path, 16)],
    ['a flipped bit of the last tag', (path) => flip(path, 200_000 + 16 + 4 * 16 - 1)],
    ['a cut at a chunk border', (path) => truncateSync(path, 16 + 2 * CHUNK)],
    ['a cut to nothing', (path) => truncateSync(path, 0)],
    [
      'a byte more',
      (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.of(0)])),
    ],
    [
      'two swapped chunks',
      (path) => {
        const [head, first, second, rest] = [0, 16, 16 + CHUNK, 16 + 2 * CHUNK].map((at, index) =>
          readFileSync(path).subarray(at, [16, 16 + CHUNK, 16 + 2 * CHUNK][index]),
        )
        writeFileSync(path, Buffer.concat([head!, second!, first!, rest!]))
      },
    ],
  ])('%s: no reader gets a byte of what was changed', async (_, damage) => {
    const { blobs, file, path } = await kept()
    damage(path)
    await expect(bytesIn({ blobs }, file)).rejects.toMatchObject(damaged)
    await expect(blobs.withFile(file, textOf)).rejects.toMatchObject(damaged)
    await expect(blobs.append(file, bytes)).rejects.toMatchObject(damaged)
    expect(folder.incoming()).toEqual([])
  })

  test('the file of another row in its place does not open', async () => {
    const { blobs, file, path } = await kept()
    await (await blobs.stage([longText(200_001).subarray(1)], 1e6)).keep(officeId)
    copyFileSync(folder.stored().find((other) => other !== path)!, path)
    await expect(bytesIn({ blobs }, file)).rejects.toMatchObject(damaged)
  })

  test('a reader that takes it for a fault of the PDF is refused all the same', async () => {
    const { blobs, file, path } = await kept()
    flip(path, 16 + CHUNK)
    const careless = blobs.withFile(file, (given) =>
      withReadable(given, (source) => {
        try {
          source.read(0, source.length)
        } catch {
          return 'no objects in it'
        }
        return 'all well'
      }),
    )
    await expect(careless).rejects.toMatchObject(damaged)
  })
})
