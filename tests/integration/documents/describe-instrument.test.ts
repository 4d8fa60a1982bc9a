import { expect, test } from 'vitest'
import { findDocument, insertDocument, replaceDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import {
  DescribeInstrument,
  describeInstrument,
} from '#server/features/documents/describe-instrument.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list-documents.ts'
import { UploadDocument, uploadDocument } from '#server/features/documents/upload-document.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
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

const logged = {
  action: 'document.described',
  result: 'success',
  details: {
    instrument: '45,213',
    volume: '1,204',
    folios: '102 a 110',
    date: '2026-03-05',
    acts: 'Donación',
    parties: 1,
  },
}

async function aDraft(system: TestSystem): Promise<{ document: Document; clerk: Person }> {
  const clerk = await storedUser(system.db, await storedOffice(system.db), ['CLERK'])
  const document = aDocument(clerk)
  await system.db.transaction((trx) => insertDocument(trx, document))
  return { document, clerk: asPerson(clerk) }
}

const describe = (
  system: TestSystem,
  actor: Parameters<typeof describeInstrument>[1],
  { id }: Document,
  data: Instrument | null = instrument,
) =>
  describeInstrument(system, actor, DescribeInstrument.parse({ documentId: id, instrument: data }))

const kept = async (system: TestSystem, { id }: Document) =>
  (await findDocument(system.db, id))?.instrument

onEachSystem('the instrument of a document', (current) => {
  test('is kept with a draft, changed and taken away, each time with one event', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    await describe(system, clerk, document)
    expect(await kept(system, document)).toEqual(instrument)
    await describe(system, clerk, document)
    await describe(system, clerk, document, null)
    expect(await kept(system, document)).toBeNull()
    const subject = { kind: 'document', id: document.id }
    expect(await system.log()).toMatchObject([
      { ...logged, subject },
      { action: 'document.described', subject, details: { instrument: null, parties: 0 } },
    ])
  })

  test('comes with the file, too', async () => {
    const system = current()
    const { clerk } = await aDraft(system)
    const document = await uploadDocument(system, clerk, {
      ...UploadDocument.parse({ title: 'Casa', kind: 'act', fileName: 'casa.pdf', instrument }),
      content: [new TextEncoder().encode('%PDF-1.7\nuna escritura\n%%EOF\n')],
    })
    expect(await kept(system, document)).toEqual(instrument)
    expect(await system.log()).toMatchObject([{ action: 'document.uploaded' }, logged])
  })

  test.each(['45,213', '2026-03-05', 'donacion', 'inigA PENA'])('is found by %s', async (text) => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    const found = async () =>
      (await listDocuments(system, clerk, ListDocuments.parse({ text }))).documents.length
    expect(await found()).toBe(0)
    await describe(system, clerk, document)
    expect(await found()).toBe(1)
    await describe(system, clerk, document, null)
    expect(await found()).toBe(0)
  })

  test('does not change any more once the document waits for signatures', async () => {
    const system = current()
    const { document, clerk } = await aDraft(system)
    await describe(system, clerk, document)
    const seen = (await findDocument(system.db, document.id)) ?? document
    await system.db.transaction((trx) =>
      replaceDocument(trx, seen, { ...seen, state: 'signing', stateSince: MORNING }),
    )
    await expect(describe(system, clerk, document, null)).rejects.toMatchObject({
      code: 'wrong-state',
    })
    expect(await kept(system, document)).toEqual(instrument)
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
    await expect(describe(system, stranger(), document)).rejects.toMatchObject({
      code: 'not-signed-in',
    })
    await expect(describe(system, asPerson(auditor), document)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(describe(system, other, document)).rejects.toMatchObject({ code: 'not-found' })
    expect(await kept(system, document)).toBeNull()
  })
})
