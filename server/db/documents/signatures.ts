import type { SignatureRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'

/** A signature with our own verifier's report on its version. */
export type StoredSignature = DocumentSignature & { report: VerificationReport }

/** The signatures made here, in signing order. */
export async function listSignatures(
  db: Reader,
  documentId: DocumentId,
): Promise<StoredSignature[]> {
  const rows = await db
    .selectFrom('signatures')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('version')
    .execute()
  return rows.map(toSignature)
}

/** @throws when the version already has its signature */
export async function insertSignature(trx: Transaction, signature: StoredSignature): Promise<void> {
  await trx
    .insertInto('signatures')
    .values({
      id: signature.id,
      document_id: signature.documentId,
      version: signature.version,
      field: signature.field,
      certificate_id: signature.certificateId,
      signer_id: signature.userId,
      session_signer_id: signature.signerId,
      character: JSON.stringify(signature.character),
      method: signature.method,
      level: signature.level,
      signed_at: signature.signedAt,
      report: JSON.stringify(signature.report),
    })
    .execute()
}

function toSignature(row: SignatureRow): StoredSignature {
  const signature = DocumentSignature.parse({
    ...row,
    documentId: row.document_id,
    certificateId: row.certificate_id,
    userId: row.signer_id,
    signerId: row.session_signer_id,
    character: row.character === null ? null : JSON.parse(row.character),
    signedAt: row.signed_at,
  })
  return { ...signature, report: JSON.parse(row.report) }
}
