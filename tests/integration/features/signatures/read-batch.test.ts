import { expect, test } from 'vitest'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { readBatch } from '#server/features/signatures/read-batch.ts'
import { aCeremony, anOpenSession, sessionOf } from '#tests/support/office/ceremonies.ts'
import { addUnjudged } from '#tests/support/office/session-rows.ts'
import { aDraft, onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

onEachSigningSystem('the documents of a batch', (system) => {
  test('say how much of each the signer was shown, without the sheets of signatures', async () => {
    const { person, parties, drafts } = await aCeremony(system(), [1, 1], 2)
    const [party, other] = parties
    const long = await aDraft(system(), person, pdfWithTable(bodiesWithPages(2)), 'Larga')
    const [short, untouched] = drafts
    if (!party || !other || !short || !untouched) throw new Error('a session of two')
    const documents = [short, untouched, long]
    const signers = [party.asked, other.asked]
    await anOpenSession(system(), person, sessionOf(documents, signers))
    const seen = async () => {
      const batch = await readBatch(system(), party.person, {})
      return documents.map(
        ({ id }) => batch.documents.find(({ document }) => document.id === id)?.seen,
      )
    }
    const show = async ({ id }: (typeof documents)[number], page: number, by = party) =>
      await drawPage(system(), by.person, { documentId: id, version: 2, page })
    expect(await seen()).toEqual(['unread', 'unread', 'unread'])
    await show(untouched, 1, other)
    await show(short, 1)
    await show(long, 1)
    expect(await seen()).toEqual(['read', 'unread', 'begun'])
    await show(long, 2)
    expect(await seen()).toEqual(['read', 'unread', 'read'])
  })

  test('are only those that were chosen and wait for the signer', async () => {
    const { person, parties, drafts } = await aCeremony(system(), [1, 1], 3)
    const [party, other] = parties
    const elsewhere = await aDraft(system(), person, undefined, 'Sin sesión')
    const [first, second, third] = drafts
    if (!party || !other || !first || !second || !third) throw new Error('a session of two')
    const signers = [party.asked, other.asked]
    await anOpenSession(system(), person, sessionOf([first, second, third], signers))
    const documentIds = [third.id, first.id, elsewhere.id]
    const batch = await readBatch(system(), party.person, { documentIds })
    expect(batch.documents.map(({ document }) => document.id)).toEqual([first.id, third.id])
  })

  test('batch: has a document to sign behind more than a page of those that are being judged', async () => {
    const { person, parties, drafts } = await aCeremony(system(), [1])
    const [[party], [document]] = [parties, drafts]
    if (!party || !document) throw new Error('a session of one')
    const { id } = await anOpenSession(system(), person, sessionOf(drafts, [party.asked]))
    await addUnjudged(system(), id, document.id, 260)
    const batch = await readBatch(system(), party.person, {})
    expect(batch.documents.map((one) => one.document.id)).toEqual([document.id])
    expect(batch).toMatchObject({ unreadCount: 260, more: 0 })
    expect(batch.unread).toHaveLength(50)
  })

  test('batch: of a thousand that are being judged it says how many more there are', async () => {
    const { person, parties, drafts } = await aCeremony(system(), [1])
    const [[party], [document]] = [parties, drafts]
    if (!party || !document) throw new Error('a session of one')
    const { id } = await anOpenSession(system(), person, sessionOf(drafts, [party.asked]))
    await addUnjudged(system(), id, document.id, 1010)
    const batch = await readBatch(system(), party.person, {})
    expect(batch).toMatchObject({ documents: [], unreadCount: 1000, more: 11 })
  })
})
