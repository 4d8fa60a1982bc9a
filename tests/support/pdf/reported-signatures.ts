import type { Database } from '#server/db/database.ts'
import { findSignatureReport, listSignatures } from '#server/db/documents/signatures.ts'
import type { DocumentSignature } from '#server/domain/documents/document-signature.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'

/** The signatures made here, in signing order, each with the report that was stored with it. */
export async function listReportedSignatures(
  db: Database,
  documentId: DocumentId,
): Promise<(DocumentSignature & { report: VerificationReport })[]> {
  const signatures = await listSignatures(db, documentId)
  return await Promise.all(
    signatures.map(async (signature) => {
      const report = await findSignatureReport(db, signature)
      if (!report) throw new Error(`${signature.id} has no report`)
      return { ...signature, report }
    }),
  )
}
