import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { pacedBody } from '#app/http/body-pace.ts'
import { guardedBlobs } from '#server/adapters/guarded-blobs.ts'
import { listParts } from '#server/db/documents/resumable-uploads.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { digestOfParts, PART_BYTES } from '#server/domain/documents/resumable-upload.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Sha256, type UploadId } from '#server/domain/ids.ts'
import { Instant, milliseconds } from '#server/domain/time.ts'
import { beginResumableUpload } from '#server/features/documents/begin-resumable-upload.ts'
import { finishResumableUpload } from '#server/features/documents/finish-resumable-upload.ts'
import { storeUploadPart } from '#server/features/documents/store-upload-part.ts'
import type { Blobs } from '#server/ports/blobs.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/* Parts that do not arrive whole: the disk is full, or their sender stalls. What arrived before stays, and the upload goes on. */

const sha256 = (bytes: Uint8Array) => Sha256.parse(createHash('sha256').update(bytes).digest('hex'))
const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const space = async () => ({ free: 2 ** 40, total: 2 ** 40 })

const FILE = Buffer.alloc(PART_BYTES + 1000, 'una escritura ')
FILE.write('%PDF-1.7\n')
const PARTS = [FILE.subarray(0, PART_BYTES), FILE.subarray(PART_BYTES)] as const

/** The disk is full when a part is to be written, or after half of it. */
const fullAt = (blobs: Blobs, moment: 'begin' | 'middle'): Blobs => ({
  ...blobs,
  parts: {
    ...blobs.parts,
    write: (content, ...rest) =>
      moment === 'begin'
        ? Promise.reject(noSpace())
        : blobs.parts.write(failingAfter(content, 1), ...rest),
  },
})

async function* failingAfter(content: AsyncIterable<Uint8Array>, chunks: number) {
  let left = chunks
  for await (const chunk of content) {
    if (left === 0) throw noSpace()
    left -= 1
    yield chunk
  }
}

async function* inPieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}

/** In two chunks: the disk is full between them. */
async function* inHalves(bytes: Uint8Array) {
  yield bytes.subarray(0, bytes.length / 2)
  yield bytes.subarray(bytes.length / 2)
}

/** Sends the first half, then nothing until the end of the test. */
async function* stalling(bytes: Uint8Array, over: AbortSignal) {
  yield* inPieces(bytes.subarray(0, bytes.length / 2))
  await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()))
}

const send = (
  system: Parameters<typeof storeUploadPart>[0],
  actor: Person,
  { id, place }: { id: UploadId; place: 0 | 1 },
  content?: AsyncIterable<Uint8Array>,
) => {
  const part = PARTS[place]
  const input = { uploadId: id, place, sha256: sha256(part), content: content ?? inPieces(part) }
  return storeUploadPart(system, actor, input)
}

const partFiles = ({ folder }: TestSystem) => {
  const uploads = join(folder, 'incoming', 'uploads')
  return existsSync(uploads) ? readdirSync(uploads) : []
}

async function begun(system: TestSystem) {
  const clerk = asPerson(await storedUser(system.db, await storedOffice(system.db), ['CLERK']))
  const named = { fileName: FileName.parse('poder.pdf'), modifiedAt: Instant.parse(1) }
  const { upload } = await beginResumableUpload(system, clerk, { ...named, bytes: FILE.length })
  return { clerk, id: upload.id }
}

async function finishedAfterAll(system: TestSystem, clerk: Person, id: UploadId) {
  await send(system, clerk, { id, place: 1 })
  const { document } = await finishResumableUpload(system, clerk, {
    ...{ uploadId: id, title: 'Poder', kind: 'act' as const, isAgain: false },
    digest: digestOfParts(PARTS.map((part) => ({ sha256: sha256(part) }))),
  })
  return document
}

onEachSystem('interrupted part', (current) => {
  test.each(['begin', 'middle'] as const)(
    'disk full at the %s of a part: refused, leaves nothing, and the upload goes on',
    async (moment) => {
      const system = current()
      const { clerk, id } = await begun(system)
      await send(system, clerk, { id, place: 0 })
      const full = { ...system, blobs: guardedBlobs(fullAt(system.blobs, moment), { space }) }
      await expect(send(full, clerk, { id, place: 1 }, inHalves(PARTS[1]))).rejects.toMatchObject({
        code: 'disk-full',
      })
      expect(partFiles(system)).toHaveLength(1)
      expect(await listParts(system.db, id)).toMatchObject([{ place: 0 }])
      expect(await finishedAfterAll(system, clerk, id)).toMatchObject({
        title: 'Poder',
        version: 1,
      })
    },
  )

  test('disk below its floor: a part is refused before a byte of it is read', async () => {
    const system = current()
    const { clerk, id } = await begun(system)
    const low = async () => ({ free: 0, total: 2 ** 40 })
    const full = { ...system, blobs: guardedBlobs(system.blobs, { space: low }) }
    let read = 0
    async function* counted() {
      read += 1
      yield PARTS[0]
    }
    await expect(send(full, clerk, { id, place: 0 }, counted())).rejects.toMatchObject({
      code: 'disk-full',
    })
    expect([read, partFiles(system)]).toEqual([0, []])
  })

  test('sender who stalls in a part: refused, leaves nothing, and the upload goes on', async () => {
    const system = current()
    const { clerk, id } = await begun(system)
    const over = new AbortController()
    const pace = { idle: milliseconds(200), slowest: 1 }
    const body = pacedBody(Readable.from(stalling(PARTS[0], over.signal)), pace)
    await expect(send(system, clerk, { id, place: 0 }, body)).rejects.toMatchObject({
      code: 'too-slow',
    })
    over.abort()
    expect(partFiles(system)).toEqual([])
    expect(await listParts(system.db, id)).toEqual([])
    await send(system, clerk, { id, place: 0 })
    expect(await finishedAfterAll(system, clerk, id)).toMatchObject({ version: 1 })
  })
})
