import { expect, test } from 'vitest'
import { findDocument, insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import { digestOfDescription } from '#server/domain/documents/description.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { EditDraft, editDraft } from '#server/features/documents/edit-draft.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list/list-documents.ts'
import { UploadDocument, uploadDocument } from '#server/features/documents/upload-document.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { describeDraft } from '#tests/support/office/described.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const instrument = Instrument.parse({
  number: '45,213',
  volume: '1,204',
  folios: '102 a 110',
  date: '2026-03-05',
  acts: 'Donación',
  parties: [{ name: 'Íñiga Peña', character: 'Donante' }],
})

const facts = {
  instrument: '45,213',
  volume: '1,204',
  folios: '102 a 110',
  date: '2026-03-05',
  acts: 'Donación',
  parties: 1,
}

async function aDraft(system: TestSystem): Promise<{ document: Document; clerk: Person }> {
  const clerk = await storedUser(system.db, await storedOffice(system.db), ['CLERK'])
  const document = aDocument(clerk)
  await system.db.transaction((trx) => insertDocument(trx, document))
  return { document, clerk: asPerson(clerk) }
}

const kept = async (system: TestSystem, { id }: Document) => {
  const { title, kind, instrument } = (await findDocument(system.db, id))!
  return { title, kind, instrument }
}

onEachSystem('the description of a draft', (current) => {
  test('is changed as a whole, with one event of what was before and after', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const [title, kind] = ['Donación de la casa 7', 'deed'] as const
    await describeDraft(system, clerk, document, { title, kind, instrument })
    expect(await kept(system, document)).toEqual({ title, kind, instrument })
    await describeDraft(system, clerk, document, { title: ` ${title}`.trim() })
    await describeDraft(system, clerk, document, { instrument: { ...instrument, volume: null } })
    const subject = { kind: 'document', id: document.id }
    const events = await system.log()
    expect(events.map(({ action, subject: about }) => [action, about])).toEqual([
      ['document.edited', subject],
      ['document.edited', subject],
    ])
    expect(events[0]?.details).toEqual({
      ...{ title, titleBefore: document.title, kind, kindBefore: document.kind, ...facts },
      ...{ instrumentBefore: null, volumeBefore: null, foliosBefore: null, dateBefore: null },
      ...{ actsBefore: null, partiesBefore: 0, publicLookup: 'on' },
    })
    expect(events[1]?.details).toEqual({
      ...{ volume: null, volumeBefore: '1,204', publicLookup: 'on' },
    })
  })

  test('names no party in the log, also if only a name was changed', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    await describeDraft(system, clerk, document, { instrument })
    const parties = [{ name: 'Íñigo Peña', character: 'Donante' }]
    await describeDraft(system, clerk, document, { instrument: { ...instrument, parties } })
    const events = await system.log()
    expect(events.at(-1)?.details).toEqual({ parties: 1, partiesBefore: 1, publicLookup: 'on' })
    expect(JSON.stringify(events)).not.toContain('Peña')
  })

  test('is not overwritten by a form that showed an earlier one', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const { title, kind } = document
    const seen = digestOfDescription(document)
    const input = { documentId: document.id, seen, title, kind, instrument: null }
    await editDraft(system, clerk, { ...input, title: 'De la primera pestaña' })
    const stale = editDraft(system, clerk, { ...input, title: 'De la segunda pestaña' })
    await expect(stale).rejects.toMatchObject({ code: 'description-changed' })
    expect((await kept(system, document)).title).toBe('De la primera pestaña')
    // A double click.
    await editDraft(system, clerk, { ...input, title: 'De la primera pestaña' })
    expect(await system.log()).toHaveLength(1)
  })

  test('is changed once by two forms at once', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const seen = digestOfDescription(document)
    const forms = ['Uno', 'Dos', 'Tres'].map((title) =>
      editDraft(system, clerk, {
        ...{ documentId: document.id, seen, title, kind: document.kind, instrument: null },
      }),
    )
    const ends = await Promise.allSettled(forms)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await system.log()).toHaveLength(1)
  })

  test('switches the public look-up off with the kind of a will, and on again', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const lookup = async () => (await findDocument(system.db, document.id))?.publicLookup.state
    await describeDraft(system, clerk, document, { kind: 'will' })
    expect(await lookup()).toBe('off')
    await describeDraft(system, clerk, document, { kind: 'deed' })
    expect(await lookup()).toBe('on')
  })

  test('comes with the file, too', async () => {
    const system = current()
    const { clerk } = await aDraft(system)
    const document = await uploadDocument(system, clerk, {
      ...UploadDocument.parse({ title: 'Casa', kind: 'act', fileName: 'casa.pdf', instrument }),
      content: [new TextEncoder().encode('%PDF-1.7\nuna escritura\n%%EOF\n')],
    })
    expect(await kept(system, document)).toEqual({ title: 'Casa', kind: 'act', instrument })
    expect(await system.log()).toMatchObject([
      { action: 'document.uploaded' },
      { action: 'document.described', details: facts },
    ])
  })

  test.each(['45,213', '2026-03-05', 'donacion', 'inigA PENA'])('is found by %s', async (text) => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const found = async () =>
      (await listDocuments(system, clerk, ListDocuments.parse({ text }))).documents.length
    expect(await found()).toBe(0)
    await describeDraft(system, clerk, document, { instrument })
    expect(await found()).toBe(1)
    await describeDraft(system, clerk, document, { instrument: null })
    expect(await found()).toBe(0)
  })

  test('is found by its new title, not by the old one', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const found = async (text: string) =>
      (await listDocuments(system, clerk, ListDocuments.parse({ text }))).documents.length
    await describeDraft(system, clerk, document, { title: 'Usufructo vitalicio' })
    expect(await found('usufructo')).toBe(1)
    await describeDraft(system, clerk, document, { title: 'Servidumbre de paso' })
    expect(await found('usufructo vitalicio')).toBe(0)
    expect(await found('servidumbre')).toBe(1)
  })

  test('does not change any more once the document waits for signatures', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    await describeDraft(system, clerk, document, { instrument })
    const seen = (await findDocument(system.db, document.id)) ?? document
    await system.db.transaction((trx) =>
      replaceDocument(trx, seen, { ...seen, state: 'signing', stateSince: MORNING }),
    )
    await expect(
      describeDraft(system, clerk, document, { instrument: null }),
    ).rejects.toMatchObject({ code: 'wrong-state' })
    expect((await kept(system, document)).instrument).toEqual(instrument)
  })

  test('is changed by no other role', async () => {
    const system = current()
    const { document } = await aDraft(system)
    const auditor = await storedUser(
      system.db,
      { ...(await storedOffice(system.db, { number: 14 })), id: document.officeId },
      ['AUDITOR'],
    )
    const other = asPerson(
      await storedUser(system.db, await storedOffice(system.db, { number: 13 })),
    )
    const edit = (actor: Parameters<typeof editDraft>[1]) =>
      describeDraft(system, actor, document, { instrument })
    await expect(edit(stranger())).rejects.toMatchObject({ code: 'not-signed-in' })
    await expect(edit(asPerson(auditor))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(edit(other)).rejects.toMatchObject({ code: 'not-found' })
    expect((await kept(system, document)).instrument).toBeNull()
  })

  test('has no party that claims to be a notary, and no empty title', () => {
    const [seen, documentId] = ['a'.repeat(64), '00000000-0000-4000-8000-000000000000']
    const input = { documentId, seen, title: 'Casa', kind: 'deed', instrument }
    expect(EditDraft.safeParse(input).success).toBe(true)
    expect(EditDraft.safeParse({ ...input, title: ' ' }).success).toBe(false)
    const parties = [{ name: 'Juan Paz', character: 'Notario' }]
    expect(EditDraft.safeParse({ ...input, instrument: { ...instrument, parties } }).success).toBe(
      false,
    )
  })
})
