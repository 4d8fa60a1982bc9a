import { randomUUID } from 'node:crypto'
import { markDeadlinesDue } from '#server/db/obligations/deadline-marks.ts'
import type { Day } from '#server/domain/day.ts'
import type { Document, DocumentKind } from '#server/domain/documents/document.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

type Facts = { kind: DocumentKind; acts?: string | null; date?: Day | null }

/** A document in the state after its last signature, with the mark that the signature leaves; no bytes are signed. */
export async function aSignedDocument(
  { db, clock, ...rest }: TestSystem,
  by: Person,
  { kind, acts = null, date = null }: Facts,
): Promise<Document> {
  const number = randomUUID().slice(0, 8)
  const document = await uploadDocument({ db, clock, ...rest }, by, {
    ...{ title: 'Documento firmado', kind, fileName: FileName.parse('documento.pdf') },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
    ...((acts !== null || date !== null) && {
      instrument: Instrument.parse({ number, volume: null, folios: null, date, acts, parties: [] }),
    }),
  })
  const at = clock.now()
  await db.transaction(async (trx) => {
    await trx
      .updateTable('documents')
      .set({ state: 'signed', state_since: at, state_by: by.userId })
      .where('id', '=', document.id)
      .execute()
    await markDeadlinesDue(trx, { documentId: document.id, at })
  })
  return { ...document, state: 'signed' }
}
