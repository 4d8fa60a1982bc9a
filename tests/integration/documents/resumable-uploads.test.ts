import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import {
  digestOfParts,
  MOST_OF_USER,
  PART_BYTES,
  UPLOAD_LIFE,
} from '#server/domain/documents/resumable-upload.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Sha256, type UploadId } from '#server/domain/ids.ts'
import { hours, Instant } from '#server/domain/time.ts'
import { beginResumableUpload } from '#server/features/documents/begin-resumable-upload.ts'
import { clearUploads } from '#server/features/documents/clear-uploads.ts'
import { discardUpload } from '#server/features/documents/discard-upload.ts'
import { finishResumableUpload } from '#server/features/documents/finish-resumable-upload.ts'
import { listUnfinishedUploads } from '#server/features/documents/list-unfinished-uploads.ts'
import { storeUploadPart } from '#server/features/documents/store-upload-part.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const sha256 = (bytes: Uint8Array) => Sha256.parse(createHash('sha256').update(bytes).digest('hex'))

/** A file of three parts, like no other. */
function aFile(what: string, size = 2 * PART_BYTES + 1000): Buffer {
  const file = Buffer.alloc(size, `${what} escritura `)
  file.write('%PDF-1.7\n')
  return file
}

const partOf = (file: Buffer, place: number) =>
  file.subarray(place * PART_BYTES, (place + 1) * PART_BYTES)
const partsOf = (file: Buffer) =>
  Array.from({ length: Math.ceil(file.length / PART_BYTES) }, (_, place) => partOf(file, place))

async function* inPieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}

const aClerk = async (system: TestSystem, office: Parameters<typeof storedOffice>[1] = {}) =>
  asPerson(await storedUser(system.db, await storedOffice(system.db, office), ['CLERK']))

const begin = (system: TestSystem, actor: Person, file: Buffer, name = 'poder.pdf', at = 1) =>
  beginResumableUpload(system, actor, {
    fileName: FileName.parse(name),
    bytes: file.length,
    modifiedAt: Instant.parse(at),
  })

type Where = { uploadId: UploadId; place: number }

const send = (system: TestSystem, actor: Person, where: Where, part: Buffer, claimed = part) =>
  storeUploadPart(system, actor, { ...where, sha256: sha256(claimed), content: inPieces(part) })

const finishOnce = (
  system: TestSystem,
  actor: Person,
  uploadId: UploadId,
  file: Buffer,
  { title = 'Poder', isAgain = false } = {},
) =>
  finishResumableUpload(system, actor, {
    ...{ uploadId, title, isAgain, kind: 'power-of-attorney' as const },
    digest: digestOfParts(partsOf(file).map((part) => ({ sha256: sha256(part) }))),
  })

async function finish(
  system: TestSystem,
  actor: Person,
  uploadId: UploadId,
  file: Buffer,
  title = 'Poder',
) {
  const { kind, document } = await finishOnce(system, actor, uploadId, file, { title })
  expect(kind).toBe('stored')
  return document
}

async function sendAll(system: TestSystem, actor: Person, file: Buffer, name?: string) {
  const { upload } = await begin(system, actor, file, name)
  for (const [place, part] of partsOf(file).entries())
    await send(system, actor, { uploadId: upload.id, place }, part)
  return upload.id
}

const folderOf = (system: TestSystem) => join(system.folder, 'incoming', 'uploads')
const partFiles = (system: TestSystem) =>
  existsSync(folderOf(system)) ? readdirSync(folderOf(system)) : []

const code = (name: string) => expect.objectContaining({ name: 'Problem', code: name })

onEachSystem('resumable upload', (current) => {
  test('content that the office has: named before it is stored again, and nothing is sent again', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const first = await finish(system, clerk, await sendAll(system, clerk, file), file)
    const id = await sendAll(system, clerk, file, 'otro-nombre.pdf')
    const options = { title: 'Poder, otra vez' }
    const asked = await finishOnce(system, clerk, id, file, options)
    expect(asked).toMatchObject({ kind: 'known', document: { id: first.id } })
    expect(partFiles(system)).toHaveLength(3)
    const again = await finishOnce(system, clerk, id, file, { ...options, isAgain: true })
    expect(again).toMatchObject({ kind: 'stored', document: { title: 'Poder, otra vez' } })
    expect(again.document.id).not.toBe(first.id)
    expect(partFiles(system)).toEqual([])
  })

  test('a file sent in parts becomes one document with the same SHA-256, and its parts are gone', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const id = await sendAll(system, clerk, file)
    expect(partFiles(system)).toHaveLength(3)
    const document = await finish(system, clerk, id, file)
    expect(document).toMatchObject({ title: 'Poder', kind: 'power-of-attorney', version: 1 })
    const [version] = await listVersions(system.db, document.id)
    expect(version).toMatchObject({
      sha256: sha256(file),
      bytes: file.length,
      fileName: 'poder.pdf',
    })
    expect(partFiles(system)).toEqual([])
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'document.uploaded',
      details: { sha256: sha256(file), bytes: file.length },
    })
  })

  test('parts are encrypted on the disk', async () => {
    const system = current()
    const clerk = await aClerk(system)
    await sendAll(system, clerk, aFile('secreto'))
    for (const name of partFiles(system))
      expect(readFileSync(join(folderOf(system), name)).includes('secreto')).toBe(false)
  })

  test('begun again in another session, it names the parts that are here', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const { upload } = await begin(system, clerk, file)
    await send(system, clerk, { uploadId: upload.id, place: 1 }, partOf(file, 1))
    const later = { ...clerk, sessionId: crypto.randomUUID() as Person['sessionId'] }
    const again = await begin(system, later, file)
    expect(again.upload.id).toBe(upload.id)
    expect(again.parts).toMatchObject([{ place: 1, sha256: sha256(partOf(file, 1)) }])
    // Another file has an upload of its own.
    expect((await begin(system, clerk, file, 'acta.pdf')).upload.id).not.toBe(upload.id)
    expect((await begin(system, clerk, file, 'poder.pdf', 2)).upload.id).not.toBe(upload.id)
  })

  test('a part whose answer was lost is sent again without being read or stored twice', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const { upload } = await begin(system, clerk, file)
    const where = { uploadId: upload.id, place: 0 }
    await send(system, clerk, where, partOf(file, 0))
    const unread: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]() {
        throw new Error('read')
      },
    }
    await storeUploadPart(system, clerk, {
      ...where,
      sha256: sha256(partOf(file, 0)),
      content: unread,
    })
    expect(partFiles(system)).toHaveLength(1)
  })

  test('the same part at the same time, in two tabs: one file remains', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const { upload } = await begin(system, clerk, file)
    const where = { uploadId: upload.id, place: 0 }
    await Promise.all([1, 2, 3].map(() => send(system, clerk, where, partOf(file, 0))))
    expect(partFiles(system)).toHaveLength(1)
  })

  test('other bytes at a place replace those before, and no document is made of two files', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const [before, after] = [aFile('antes'), aFile('después')]
    const id = await sendAll(system, clerk, before)
    await send(system, clerk, { uploadId: id, place: 1 }, partOf(after, 1))
    expect(partFiles(system)).toHaveLength(3)
    await expect(finish(system, clerk, id, before)).rejects.toEqual(code('upload-incomplete'))
    await expect(finish(system, clerk, id, after)).rejects.toEqual(code('upload-incomplete'))
    await send(system, clerk, { uploadId: id, place: 1 }, partOf(before, 1))
    const document = await finish(system, clerk, id, before)
    const [version] = await listVersions(system.db, document.id)
    expect(version?.sha256).toBe(sha256(before))
  })

  test('finished with a part missing: refused, and what is here stays', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const { upload } = await begin(system, clerk, file)
    await send(system, clerk, { uploadId: upload.id, place: 0 }, partOf(file, 0))
    await send(system, clerk, { uploadId: upload.id, place: 2 }, partOf(file, 2))
    await expect(finish(system, clerk, upload.id, file)).rejects.toEqual(code('upload-incomplete'))
    expect((await begin(system, clerk, file)).parts).toHaveLength(2)
  })

  test('finished several times, one after the other and at once, with other titles too: one document', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const id = await sendAll(system, clerk, file)
    const titles = ['Poder', 'Poder general', 'Otro']
    const made = await Promise.all(titles.map((title) => finish(system, clerk, id, file, title)))
    made.push(await finish(system, clerk, id, file, 'Después'))
    expect(new Set(made.map((document) => document.id)).size).toBe(1)
    const uploaded = (await system.log()).filter(({ action }) => action === 'document.uploaded')
    expect(uploaded).toHaveLength(1)
    await expect(send(system, clerk, { uploadId: id, place: 0 }, partOf(file, 0))).rejects.toEqual(
      code('wrong-state'),
    )
  })

  test.each([
    ['cut short', (part: Buffer) => part.subarray(0, -1), 'bad-request'],
    ['too long', (part: Buffer) => Buffer.concat([part, part]), 'too-large'],
    ['changed on the way', (part: Buffer) => Buffer.from(part).fill(1, 50, 51), 'bad-request'],
  ])('a part that is %s is refused and leaves nothing', async (_, damage, problem) => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const { upload } = await begin(system, clerk, file)
    const part = partOf(file, 0)
    await expect(
      send(system, clerk, { uploadId: upload.id, place: 0 }, damage(part), part),
    ).rejects.toEqual(code(problem))
    expect(partFiles(system)).toEqual([])
    expect((await begin(system, clerk, file)).parts).toEqual([])
  })

  test.each([3, 1_000_000, Number.MAX_SAFE_INTEGER])(
    'a part at place %i is refused',
    async (place) => {
      const system = current()
      const clerk = await aClerk(system)
      const file = aFile('uno')
      const { upload } = await begin(system, clerk, file)
      await expect(
        send(system, clerk, { uploadId: upload.id, place }, partOf(file, 0)),
      ).rejects.toEqual(code('bad-request'))
    },
  )

  test('a private key in place of a document never reaches the disk', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const key = Buffer.from('-----BEGIN PRIVATE KEY-----\nMII')
    const { upload } = await begin(system, clerk, key)
    await expect(send(system, clerk, { uploadId: upload.id, place: 0 }, key)).rejects.toEqual(
      code('private-key-uploaded'),
    )
    expect(partFiles(system)).toEqual([])
  })

  test('too large or empty: refused before a byte is sent; the limit of the office counts again at the end', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    await expect(begin(system, clerk, Buffer.alloc(0))).rejects.toEqual(code('empty-file'))
    const id = await sendAll(system, clerk, file)
    const limited = (uploadLimit: number) => ({
      ...system,
      settings: { ...system.settings, uploadLimit },
    })
    await expect(begin(limited(file.length - 1), clerk, file)).rejects.toEqual(code('too-large'))
    await expect(finish(limited(file.length - 1), clerk, id, file)).rejects.toEqual(
      code('too-large'),
    )
    await finish(limited(file.length), clerk, id, file)
  })

  test('another user, of this office or another, does not find it', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const clerk = asPerson(await storedUser(system.db, office, ['CLERK']))
    const colleague = asPerson(await storedUser(system.db, office, ['NOTARY']))
    const file = aFile('uno')
    const id = await sendAll(system, clerk, file)
    for (const other of [colleague, await aClerk(system, { number: 77 })]) {
      const where = { uploadId: id, place: 0 }
      await expect(send(system, other, where, partOf(file, 0))).rejects.toEqual(code('not-found'))
      await expect(finish(system, other, id, file)).rejects.toEqual(code('not-found'))
      await expect(discardUpload(system, other, id)).rejects.toEqual(code('not-found'))
      expect((await begin(system, other, file)).parts).toEqual([])
    }
    await finish(system, clerk, id, file)
  })

  test('unfinished ones: listed to their user with what is here, until they are finished or over', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const one = async (role: 'CLERK' | 'AUDITOR') =>
      asPerson(await storedUser(system.db, office, [role]))
    const clerk = await one('CLERK')
    const list = async (actor = clerk) =>
      (await listUnfinishedUploads(system, actor)).map(({ fileName, bytes, here }) => ({
        ...{ fileName, bytes, here },
      }))
    expect(await list()).toEqual([])
    const file = aFile('uno')
    const { upload } = await begin(system, clerk, file, 'uno.pdf')
    await send(system, clerk, { uploadId: upload.id, place: 2 }, partOf(file, 2))
    await send(system, clerk, { uploadId: upload.id, place: 0 }, partOf(file, 0))
    system.wait(hours(1))
    await begin(system, clerk, aFile('dos', 4000), 'dos.pdf')
    const finished = await sendAll(system, clerk, aFile('tres'), 'tres.pdf')
    await finish(system, clerk, finished, aFile('tres'))
    const both = [
      { fileName: 'uno.pdf', bytes: file.length, here: PART_BYTES + 1000 },
      { fileName: 'dos.pdf', bytes: 4000, here: 0 },
    ]
    expect(await list()).toEqual(both)
    expect(await list(await one('CLERK'))).toEqual([])
    system.wait(hours(23))
    expect(await list()).toEqual(both.slice(1))
    await expect(list(await one('AUDITOR'))).rejects.toThrow(code('forbidden'))
  })

  test('a user who may no longer upload cannot go on', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const id = await sendAll(system, clerk, file)
    const auditor: Person = { ...clerk, roles: ['AUDITOR'] }
    await expect(begin(system, auditor, file)).rejects.toEqual(code('forbidden'))
    await expect(
      send(system, auditor, { uploadId: id, place: 0 }, partOf(file, 0)),
    ).rejects.toEqual(code('forbidden'))
    await expect(finish(system, auditor, id, file)).rejects.toEqual(code('forbidden'))
  })

  test('discarded: its bytes and its key are gone, and it cannot be finished', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const id = await sendAll(system, clerk, file)
    await discardUpload(system, clerk, id)
    expect(partFiles(system)).toEqual([])
    await expect(finish(system, clerk, id, file)).rejects.toEqual(code('not-found'))
    expect((await begin(system, clerk, file)).parts).toEqual([])
  })

  test('the job removes uploads that are over, and parts that a killed process left', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const [old, young] = [aFile('viejo'), aFile('nuevo')]
    const id = await sendAll(system, clerk, old)
    system.wait(UPLOAD_LIFE)
    await expect(finish(system, clerk, id, old)).rejects.toEqual(code('not-found'))
    const fresh = await sendAll(system, clerk, young, 'nuevo.pdf')
    expect(await clearUploads(system)).toBe(1)
    expect(await clearUploads(system)).toBe(0)
    await finish(system, clerk, fresh, young)
  })

  test('parts without a row are removed a day after they were written', async () => {
    const system = current()
    await system.blobs.parts.write(inPieces(aFile('x', 10)), 10, () => new Uint8Array(16))
    const now = (later: number) => ({
      ...system,
      clock: { now: () => Instant.parse(Date.now() + later) },
    })
    await clearUploads(now(UPLOAD_LIFE))
    expect(partFiles(system)).toHaveLength(1)
    await clearUploads(now(UPLOAD_LIFE + hours(1) + 60_000))
    expect(partFiles(system)).toEqual([])
  })

  test('a user has some unfinished uploads at most: the next takes the place of the oldest', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const ids: UploadId[] = []
    for (let count = 0; count <= MOST_OF_USER; count += 1) {
      system.wait(hours(0.01))
      ids.push(await sendAll(system, clerk, aFile(`${count}`, 100), `${count}.pdf`))
    }
    expect(partFiles(system)).toHaveLength(MOST_OF_USER)
    const [first, second] = ids as [UploadId, UploadId]
    await expect(finish(system, clerk, first, aFile('0', 100))).rejects.toEqual(code('not-found'))
    await finish(system, clerk, second, aFile('1', 100))
  })

  test('a part that is gone from the disk, as after a restored backup: sent again', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const file = aFile('uno')
    const id = await sendAll(system, clerk, file)
    for (const name of partFiles(system)) await system.blobs.parts.remove(name)
    await expect(finish(system, clerk, id, file)).rejects.toEqual(code('upload-incomplete'))
    expect((await begin(system, clerk, file)).parts).toEqual([])
    await sendAll(system, clerk, file)
    await finish(system, clerk, id, file)
  })
})
