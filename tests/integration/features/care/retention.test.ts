import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findRetentionItem } from '#server/db/care/retention.ts'
import { findDocumentStamp, keepDocumentStamp } from '#server/db/documents/document-stamps.ts'
import { insertVersion, listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument, insertDocument } from '#server/db/documents/documents.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { ProblemCode } from '#server/domain/problem.ts'
import { before, days } from '#server/domain/time.ts'
import { listRecentEvents } from '#server/features/audit/list-recent-events.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { listDocuments } from '#server/features/documents/list/list-documents.ts'
import { purgeDocument } from '#server/features/documents/purge-document.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { zipDocuments } from '#server/features/documents/zip-documents.ts'
import {
  blockDocument,
  destroyDocument,
  postponeRetention,
} from '#server/features/retention/decide-retention.ts'
import { listRetention } from '#server/features/retention/list-retention.ts'
import { proposeDocuments } from '#server/features/retention/propose-documents.ts'
import { changeRetentionTerm } from '#server/features/retention/retention-terms.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const LETTERS = { kind: 'letter', years: 5, blockDays: 90, source: 'Acuerdo' } as const
const reason = 'Terminó su plazo.' as never

onEachSystem('retention', (system) => {
  async function aScene() {
    const office = await storedOffice(system().db)
    const of = async (...roles: ('ADMIN' | 'NOTARY' | 'CLERK')[]) =>
      asPerson(await storedUser(system().db, office, roles))
    const scene = { office, admin: await of('ADMIN'), notary: await of('NOTARY') }
    await changeRetentionTerm(system(), scene.admin, LETTERS)
    return { ...scene, clerk: await of('CLERK') }
  }
  const fresh = (person: Person): Person => ({ ...person, provenAt: system().clock.now() })
  const refusedAs = (code: ProblemCode) => ({ code })
  const stateOf = async (id: DocumentId) => (await findRetentionItem(system().db, id))?.state

  /** A letter that was cancelled, with its file. */
  async function aCancelled(by: Person): Promise<DocumentId> {
    const { id } = await uploadDocument(system(), by, {
      ...{ title: 'Carta confidencial', kind: 'letter', fileName: FileName.parse('carta.pdf') },
      content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
    })
    await cancelDocument(system(), by, { documentId: id, reason })
    return id
  }

  test('proposal: only documents of the kind that ended long enough ago, each once', async () => {
    const { clerk } = await aScene()
    const old = await aCancelled(clerk)
    system().wait(days(5 * 366 - 1))
    const young = await aCancelled(fresh(clerk))
    await proposeDocuments(system())
    expect(await stateOf(old)).toBeUndefined()
    system().wait(days(2))
    await proposeDocuments(system())
    await proposeDocuments(system())
    expect([await stateOf(old), await stateOf(young)]).toEqual(['proposed', undefined])
    const log = await system().log()
    expect(log.filter(({ action }) => action === 'retention.proposed')).toHaveLength(1)
  })

  test.each([
    ['an instrument', { kind: 'deed' }],
    ['a will', { kind: 'will' }],
    ['one that everybody signed', { state: 'signed' }],
    ['a draft', { state: 'draft' }],
    [
      'one with a number of the protocol',
      {
        instrument: {
          ...{ number: '123', volume: null, folios: null, date: null, acts: null, parties: [] },
        },
      },
    ],
  ])('proposal: %s never is, however old', async (_, changes) => {
    const { admin, clerk } = await aScene()
    for (const kind of ['simple-copy', 'contract', 'notice', 'draft', 'other'] as const)
      await changeRetentionTerm(system(), admin, { ...LETTERS, kind })
    const ended = before(system().clock.now(), days(9000))
    const document = aDocument(
      { id: clerk.userId, officeId: clerk.officeId },
      {
        ...{ kind: 'letter', state: 'cancelled', stateSince: ended, folio: folioOf(2001, 1) },
        ...changes,
      },
    )
    await system().db.transaction(async (trx) => {
      await insertDocument(trx, document)
      await insertVersion(trx, aVersion(document))
    })
    await proposeDocuments(system())
    expect(await stateOf(document.id)).toBeUndefined()
  })

  /** A letter that was proposed. */
  async function aProposed() {
    const scene = await aScene()
    const documentId = await aCancelled(scene.clerk)
    system().wait(days(5 * 366 + 1))
    await proposeDocuments(system())
    return { ...scene, documentId }
  }

  test('block: from then on a clerk reads nothing of it, and no action changes it', async () => {
    const { admin, notary, clerk, documentId } = await aProposed()
    await blockDocument(system(), fresh(notary), { documentId, reason })
    const refused = refusedAs('document-blocked')
    await expect(readDocument(system(), fresh(clerk), { documentId })).rejects.toMatchObject(
      refused,
    )
    const asked = { documentIds: [documentId] }
    await expect(zipDocuments(system(), fresh(clerk), asked)).rejects.toMatchObject(refused)
    await expect(
      purgeDocument(system(), fresh(admin), { documentId, reason }),
    ).rejects.toMatchObject(refused)
    expect((await readDocument(system(), fresh(notary), { documentId })).document.id).toBe(
      documentId,
    )
    expect((await listRetention(system(), notary, { state: 'blocked' })).items).toMatchObject([
      { documentId, mayDestroy: false },
    ])
  })

  test('block: lists and searches of a clerk have the folio alone, those of a notary the title', async () => {
    const { notary, clerk, documentId } = await aProposed()
    const listed = async (by: Person, text?: string) =>
      (await listDocuments(system(), fresh(by), { text })).documents
    const [before] = await listed(clerk, 'carta confidencial')
    expect(before).toMatchObject({ id: documentId, title: 'Carta confidencial' })
    await blockDocument(system(), fresh(notary), { documentId, reason })

    expect(await listed(clerk)).toMatchObject([
      { id: documentId, folio: before?.folio, title: 'Documento bloqueado', instrument: null },
    ])
    expect(await listed(notary)).toMatchObject([{ title: 'Carta confidencial' }])
    for (const by of [clerk, notary]) expect(await listed(by, 'confidencial')).toEqual([])
    expect(await listed(clerk, before?.folio)).toMatchObject([{ title: 'Documento bloqueado' }])
    await writeTextsAgain(documentId)
    expect(await listed(clerk, 'confidencial')).toEqual([])
  })

  test('block: the log of a clerk names the document by its folio alone', async () => {
    const { notary, clerk, documentId } = await aProposed()
    await readDocument(system(), fresh(clerk), { documentId })
    const names = async () => {
      const { events } = await listRecentEvents(system(), fresh(clerk), { subjectId: documentId })
      return events.map(({ about }) => about?.name ?? '').join()
    }
    expect(await names()).toContain('Carta confidencial')
    await blockDocument(system(), fresh(notary), { documentId, reason })
    expect(await names()).toContain('“Documento bloqueado”')
    expect(await names()).not.toContain('Carta confidencial')
  })

  const writeTextsAgain = (id: DocumentId) =>
    system().db.transaction((trx) => writeTexts(trx, [id]))

  test('destruction: by another person, after the block; the file goes, row and events stay', async () => {
    const { admin, notary, documentId } = await aProposed()
    const destroy = (by: Person) => destroyDocument(system(), fresh(by), { documentId, reason })
    await expect(destroy(admin)).rejects.toMatchObject(refusedAs('retention-state'))
    await blockDocument(system(), fresh(notary), { documentId, reason })
    await expect(destroy(admin)).rejects.toMatchObject(refusedAs('retention-state'))
    system().wait(days(90))
    await expect(destroy(notary)).rejects.toMatchObject(refusedAs('retention-same-person'))

    const [version] = await listVersions(system().db, documentId)
    const stamp = { by: 'Autoridad', holdsUntil: system().clock.now(), behind: new Uint8Array(9) }
    await system().db.transaction((trx) =>
      keepDocumentStamp(trx, version!, stamp, system().clock.now()),
    )
    await destroy(admin)
    expect(await findDocumentStamp(system().db, version!)).toBeUndefined()
    const document = await findDocument(system().db, documentId)
    expect(document).toMatchObject({ state: 'cancelled', purged: { by: admin.userId } })
    const log = await system().log()
    const event = log.find(({ action }) => action === 'retention.destroyed')
    const sha256 = event?.details.sha256 as never
    expect(event).toMatchObject({ details: { reason, blockedBy: notary.userId } })
    const address = { officeId: admin.officeId, sha256 }
    expect(await findStoredFile(system().db, address)).toBeUndefined()
    await expect(destroy(admin)).rejects.toMatchObject(refusedAs('retention-state'))
  })

  test('postponement: with a reason, and proposed again when it ends', async () => {
    const { notary, documentId } = await aProposed()
    await postponeRetention(system(), fresh(notary), { documentId, months: 2, reason })
    await proposeDocuments(system())
    expect(await stateOf(documentId)).toBe('postponed')
    await expect(
      blockDocument(system(), fresh(notary), { documentId, reason }),
    ).rejects.toMatchObject(refusedAs('retention-state'))
    system().wait(days(62))
    await proposeDocuments(system())
    expect(await stateOf(documentId)).toBe('proposed')
  })

  test('roles: a clerk decides nothing and lists nothing; another office finds nothing', async () => {
    const { clerk, documentId } = await aProposed()
    await expect(
      blockDocument(system(), fresh(clerk), { documentId, reason }),
    ).rejects.toMatchObject(refusedAs('forbidden'))
    await expect(listRetention(system(), clerk, { state: 'proposed' })).rejects.toMatchObject(
      refusedAs('forbidden'),
    )
    const other = await storedOffice(system().db, { number: 13 })
    const stranger = asPerson(await storedUser(system().db, other, ['ADMIN', 'NOTARY']))
    await expect(
      blockDocument(system(), fresh(stranger), { documentId, reason }),
    ).rejects.toMatchObject(refusedAs('not-found'))
  })
})
