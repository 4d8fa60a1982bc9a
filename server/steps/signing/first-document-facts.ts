import { findDocuments } from '#server/db/documents/documents.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'

/** Folio and kind of the first document of a session: what a mail may say of it. Empty without documents. */
export async function firstDocumentFacts(
  trx: Transaction,
  { documents: [first] }: Ceremony,
): Promise<Alert['facts']> {
  const document = first && (await findDocuments(trx, [first.id])).get(first.id)
  return document ? { folio: document.folio, documentKind: document.kind } : {}
}
