import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes, parseInstant } from '#server/domain/time.ts'
import { UploadDocument, uploadDocument } from '#server/features/documents/upload-document.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const PDF = bytesOf('%PDF-1.7\nuna escritura\n%%EOF\n')

const aClerk = async (system: TestSystem, number = 12) => {
  const office = await storedOffice(system.db, { number })
  return asPerson(await storedUser(system.db, office, ['CLERK']))
}

const upload = (
  system: TestSystem,
  actor: Parameters<typeof uploadDocument>[1],
  title = 'Poder general',
  content: Uint8Array = PDF,
) =>
  uploadDocument(system, actor, {
    ...UploadDocument.parse({ title, kind: 'power-of-attorney', fileName: 'C:\\poder ñ.pdf' }),
    content: [content.subarray(0, 3), content.subarray(3)],
  })

onEachSystem('uploading a document', (current) => {
  test('makes a document, its first version and one event', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const document = await upload(system, clerk)
    expect(document).toMatchObject({
      officeId: clerk.officeId,
      folio: '2026-000001',
      title: 'Poder general',
      state: 'draft',
      version: 1,
      createdBy: clerk.userId,
    })
    expect(await listVersions(system.db, document.id)).toEqual([
      {
        documentId: document.id,
        officeId: clerk.officeId,
        version: 1,
        sha256: sha256(PDF),
        bytes: PDF.length,
        pages: 1,
        cause: 'uploaded',
        by: clerk.userId,
        at: MORNING,
        fileName: 'poder ñ.pdf',
        signer: null,
        signaturesBrought: 0,
      },
    ])
    const stored = await bytesIn(system, { officeId: clerk.officeId, sha256: sha256(PDF) })
    expect(stored).toEqual(Buffer.from(PDF))
    expect(await system.log()).toMatchObject([
      {
        action: 'document.uploaded',
        actor: { kind: 'person', userId: clerk.userId },
        subject: { kind: 'document', id: document.id },
        result: 'success',
        details: { folio: '2026-000001', version: 1, sha256: sha256(PDF), bytes: PDF.length },
      },
    ])
  })

  test('a double click gives the first document again', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const [first, second] = await Promise.all([upload(system, clerk), upload(system, clerk)])
    expect(second).toEqual(first)
    expect(await system.log()).toHaveLength(1)
    expect((await upload(system, clerk, 'Otro título')).folio).toBe('2026-000002')
    system.wait(minutes(2))
    expect((await upload(system, clerk)).folio).toBe('2026-000003')
  })

  test('folios have no gap under many hands, and each office has its own', async () => {
    const system = current()
    const [clerk, other] = [await aClerk(system), await aClerk(system, 13)]
    const titles = Array.from({ length: 10 }, (_, i) => `Escritura ${i}`)
    const documents = await Promise.all(titles.map((title) => upload(system, clerk, title)))
    expect(documents.map(({ folio }) => folio).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, i) => `2026-${String(i + 1).padStart(6, '0')}`),
    )
    expect((await upload(system, other)).folio).toBe('2026-000001')
  })

  test('a new year begins with one, in the time zone of the office', async () => {
    const system = current()
    const clerk = await aClerk(system)
    await upload(system, clerk)
    system.wait((parseInstant('2027-01-01T06:00:00Z') - MORNING) as never)
    expect((await upload(system, clerk)).folio).toBe('2027-000001')
  })

  test.each([
    ['empty-file', new Uint8Array(0)],
    ['not-a-pdf', bytesOf('hola')],
    ['private-key-uploaded', bytesOf('-----BEGIN ENCRYPTED PRIVATE KEY-----\n')],
    ['certificate-uploaded', bytesOf('-----BEGIN CERTIFICATE-----\n')],
  ])('refuses with %s, and keeps nothing', async (code, content) => {
    const system = current()
    const clerk = await aClerk(system)
    await expect(upload(system, clerk, 'x', content)).rejects.toMatchObject({ code })
    expect(await system.log()).toEqual([])
    expect(readdirSync(`${system.folder}/incoming`)).toEqual([])
  })

  test('refuses a file over the limit of the office', async () => {
    const system = current()
    const office = await storedOffice(system.db, { uploadLimit: 10 })
    const clerk = asPerson(await storedUser(system.db, office, ['CLERK']))
    await expect(upload(system, clerk)).rejects.toMatchObject({ code: 'too-large' })
    expect(readdirSync(`${system.folder}/incoming`)).toEqual([])
  })

  test('an auditor may not, and the log tells it', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const auditor = asPerson(await storedUser(system.db, office, ['AUDITOR']))
    await expect(upload(system, auditor)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await system.log()).toMatchObject([
      {
        action: 'access.refused',
        result: 'refused',
        details: { asked: 'document.upload', code: 'forbidden' },
      },
    ])
  })

  test('a stranger may not', async () => {
    await expect(upload(current(), stranger())).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})

const damaged = { inspect: () => Promise.reject(new Problem('damaged-pdf', 'no page tree')) }
onEachSystem(
  'uploading a PDF that cannot be read',
  (current) => {
    test('keeps nothing', async () => {
      const system = current()
      const clerk = await aClerk(system)
      await expect(upload(system, clerk)).rejects.toMatchObject({ code: 'damaged-pdf' })
      expect(readdirSync(system.folder)).toEqual(['incoming'])
      expect(readdirSync(`${system.folder}/incoming`)).toEqual([])
    })
  },
  { pdf: damaged as never },
)
