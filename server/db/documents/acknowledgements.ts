import type { AcknowledgementRow } from '#server/db/tables/judgements.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { DocumentId, SignerId, UserId } from '#server/domain/ids.ts'
import { Acknowledgement } from '#server/domain/verification/upload-judgement.ts'

/** The acknowledgements of a signer for these documents: a user, or an external signer. */
export async function listAcknowledgements(
  db: Reader,
  documentIds: readonly DocumentId[],
  by: UserId | SignerId,
): Promise<Acknowledgement[]> {
  if (documentIds.length === 0) return []
  const rows = await db
    .selectFrom('acknowledgements')
    .selectAll()
    .where('document_id', 'in', documentIds)
    .where('acknowledged_by', '=', by)
    .execute()
  return rows.map(toAcknowledgement)
}

/** All acknowledgements for a document, oldest first. */
export async function listAcknowledgementsOf(
  db: Reader,
  documentId: DocumentId,
): Promise<Acknowledgement[]> {
  const rows = await db
    .selectFrom('acknowledgements')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('at')
    .orderBy('acknowledged_by')
    .execute()
  return rows.map(toAcknowledgement)
}

/** Returns false if the same signer stated the same before. */
export async function insertAcknowledgement(
  trx: Transaction,
  acknowledgement: Acknowledgement,
): Promise<boolean> {
  const { documentId, userId, signerId, judgement, verdict, sentence, at } = acknowledgement
  const by = userId ?? signerId
  if (by === null) throw new Error('an acknowledgement without a signer')
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('acknowledgements')
    .values({
      ...{ document_id: documentId, judgement, verdict, sentence, at },
      ...{ acknowledged_by: by, user_id: userId, session_signer_id: signerId },
      statements: JSON.stringify(acknowledgement.statements.toSorted()),
      findings: JSON.stringify(acknowledgement.findings),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

function toAcknowledgement(row: AcknowledgementRow): Acknowledgement {
  return Acknowledgement.parse({
    documentId: row.document_id,
    userId: row.user_id,
    signerId: row.session_signer_id,
    judgement: row.judgement,
    statements: JSON.parse(row.statements),
    verdict: row.verdict,
    sentence: row.sentence,
    findings: JSON.parse(row.findings),
    at: row.at,
  })
}
