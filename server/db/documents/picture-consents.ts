import type { PictureConsentRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { PictureConsent, partyKeyOf } from '#server/domain/documents/public-pictures.ts'
import type { DocumentId } from '#server/domain/ids.ts'

/** What each party last said; at most one for each. */
export async function listPictureConsents(
  db: Reader,
  documentId: DocumentId,
): Promise<PictureConsent[]> {
  const rows = await db
    .selectFrom('picture_consents')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('party')
    .execute()
  return rows.map(toConsent)
}

/** Returns false if the party had said the same, or withdraws what they never gave. */
export async function replacePictureConsent(
  trx: Transaction,
  consent: PictureConsent,
): Promise<boolean> {
  const { documentId, userId, signerId, state, since } = consent
  const party = partyKeyOf(consent)
  const { numUpdatedRows } = await trx
    .updateTable('picture_consents')
    .set({ state, since })
    .where('document_id', '=', documentId)
    .where('party', '=', party)
    .where('state', '!=', state)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 1n) return true
  if (state === 'withdrawn') return false
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('picture_consents')
    .values({
      ...{ document_id: documentId, party, user_id: userId, session_signer_id: signerId },
      ...{ state, since },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

function toConsent(row: PictureConsentRow): PictureConsent {
  return PictureConsent.parse({
    documentId: row.document_id,
    userId: row.user_id,
    signerId: row.session_signer_id,
    state: row.state,
    since: row.since,
  })
}
