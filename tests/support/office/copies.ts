import { randomUUID } from 'node:crypto'
import { insertIssuedCopy } from '#server/db/documents/issued-copies.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { IssuedCopy } from '#server/domain/documents/copies/issued-copy.ts'
import type { User } from '#server/domain/identity/user.ts'
import { RecordCopy } from '#server/features/copies/record-copy.ts'

type Changes = Partial<Record<keyof RecordCopy, unknown>>

/** What a clerk writes about the first testimony of a document. */
export const aCopy = (documentId: string, changes: Changes = {}): RecordCopy =>
  RecordCopy.parse({
    ...{ documentId, once: randomUUID(), kind: 'testimony', ordinal: 1, part: null },
    recipient: { name: 'Hilda Rosas Vega', rfc: 'ROVH850101QX2', character: 'Compradora' },
    medium: { kind: 'paper', sheets: 12 },
    ...{ issuedOn: '2026-11-20', note: 'Para inscripción', ...changes },
  } satisfies Record<keyof RecordCopy, unknown>)

/** A testimony for each of these authors. @returns the first */
export async function insertCopies(
  trx: Transaction,
  documentId: string,
  authors: readonly User[],
  at: number,
): Promise<string> {
  const copies = authors.map(({ id: by }, index) => {
    const { once: id, ...facts } = aCopy(documentId, { ordinal: index + 1 })
    return IssuedCopy.parse({ ...facts, id, version: 1, at, by, cancelled: null })
  })
  for (const copy of copies) await insertIssuedCopy(trx, copy)
  return copies[0]?.id ?? ''
}
