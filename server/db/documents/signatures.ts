import { isAfterCursor } from '#server/db/after-cursor.ts'
import { markTextsDue } from '#server/db/documents/document-texts.ts'
import type { SignatureRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { CertificateId, DocumentId, SignatureId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'

/** Without the report, which may have megabytes. */
const FACTS = [
  'id',
  'document_id',
  'version',
  'field',
  'certificate_id',
  'signer_id',
  'session_signer_id',
  'character',
  'method',
  'level',
  'signed_at',
] as const satisfies (keyof SignatureRow)[]

/** The signatures made here, in signing order. */
export async function listSignatures(
  db: Reader,
  documentId: DocumentId,
): Promise<DocumentSignature[]> {
  const rows = await db
    .selectFrom('signatures')
    .select(FACTS)
    .where('document_id', '=', documentId)
    .orderBy('version')
    .execute()
  return rows.map(toSignature)
}

/** The signatures that were made with a certificate, newest first. */
export async function listSignaturesWith(
  db: Reader,
  filter: {
    certificateId: CertificateId
    behind?: PageCursor<SignatureId> | undefined
    limit: number
  },
): Promise<DocumentSignature[]> {
  const { certificateId, behind, limit } = filter
  let query = db.selectFrom('signatures').select(FACTS).where('certificate_id', '=', certificateId)
  if (behind) query = query.where(isAfterCursor(behind, 'signed_at'))
  const rows = await query.orderBy('signed_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toSignature)
}

/** Our own verifier's report on the version that a signature created, from before it was stored. */
export async function findSignatureReport(
  db: Reader,
  { documentId, version }: Pick<DocumentSignature, 'documentId' | 'version'>,
): Promise<VerificationReport | undefined> {
  const row = await db
    .selectFrom('signatures')
    .select('report')
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && JSON.parse(row.report)
}

/** @throws when the version already has its signature */
export async function insertSignature(
  trx: Transaction,
  signature: DocumentSignature & { report: VerificationReport },
): Promise<void> {
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
  // The certificate may write the name of the signer in another way.
  await markTextsDue(trx, [signature.documentId])
}

function toSignature(row: Pick<SignatureRow, (typeof FACTS)[number]>): DocumentSignature {
  return DocumentSignature.parse({
    ...row,
    documentId: row.document_id,
    certificateId: row.certificate_id,
    userId: row.signer_id,
    signerId: row.session_signer_id,
    character: row.character === null ? null : JSON.parse(row.character),
    signedAt: row.signed_at,
  })
}
