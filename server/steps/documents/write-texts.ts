import { listSignersIn, removeTextsDue, replaceText } from '#server/db/documents/document-texts.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import { addSearchWords } from '#server/db/documents/search-words.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { dayOf } from '#server/domain/day.ts'
import { documentText } from '#server/domain/documents/search/document-text.ts'
import type { DocumentId, OfficeId } from '#server/domain/ids.ts'
import { documentKinds } from '#server/words/documents.ts'

/**
 * Writes the texts in which these documents are searched, from their rows as the transaction sees them. For few documents: a
 * job writes those of many.
 */
export async function writeTexts(trx: Transaction, ids: readonly DocumentId[]): Promise<void> {
  await removeTextsDue(trx, ids)
  const documents = await findDocuments(trx, ids)
  const signers = await listSignersIn(trx, ids)
  const zones = await zonesOf(trx, new Set(documents.values().map(({ officeId }) => officeId)))
  const words = new Map<OfficeId, string[]>()
  for (const document of documents.values()) {
    const { id, officeId, createdAt, kind, blockedAt } = document
    const text = documentText({
      ...document,
      kind: documentKinds[kind],
      uploaded: dayOf(createdAt, zones.get(officeId)!),
      signers: signers.get(id) ?? [],
      // A search by a name must not tell that a blocked document has it.
      ...(blockedAt !== null && { title: '', instrument: null, signers: [] }),
    })
    await replaceText(trx, { id, officeId, createdAt, text })
    words.set(officeId, [...(words.get(officeId) ?? []), ...text.split(' ')])
  }
  // Last and together: words are locked in one order.
  for (const [officeId, some] of [...words].toSorted()) await addSearchWords(trx, officeId, some)
}

async function zonesOf(trx: Transaction, ids: ReadonlySet<OfficeId>) {
  const zones = new Map<OfficeId, string>()
  for (const id of ids) {
    const office = await findOffice(trx, id)
    if (office) zones.set(id, office.timeZone)
  }
  return zones
}
