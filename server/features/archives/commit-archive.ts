import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { replaceArchive } from '#server/db/documents/archives.ts'
import { deleteDocumentStamp } from '#server/db/documents/document-stamps.ts'
import { insertVersion } from '#server/db/documents/document-versions.ts'
import { replaceDocument } from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { renewalOf } from '#server/domain/documents/archive.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { Problem } from '#server/domain/problem.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import { requestFinalConstancia } from '#server/steps/signing/request-final-constancia.ts'
import type { System } from '#server/system.ts'
import type { Archivable } from './find-archivable.ts'
import type { DocumentStamp } from './stamp-file.ts'

export type MadeArchive = {
  staged: StagedBlob
  report: VerificationReport
  stamp: DocumentStamp
  /** False if only the timestamp was added. */
  isComplete: boolean
}

/**
 * Makes the staged file the document's next version, in one transaction with its archive state and the event.
 *
 * @throws {Problem} `stale-version` when the document changed or is being signed
 */
export async function commitArchive(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  { document: seen, base }: Archivable,
  { staged, report, stamp, isComplete }: MadeArchive,
): Promise<{ document: Document; base: DocumentVersion }> {
  const at = clock.now()
  const document: Document = { ...seen, version: seen.version + 1 }
  const version: DocumentVersion = {
    documentId: seen.id,
    officeId: seen.officeId,
    version: document.version,
    sha256: staged.sha256,
    bytes: staged.bytes,
    pages: report.pages,
    cause: 'archived',
    by: null,
    signer: null,
    at,
    fileName: base.fileName,
    signaturesBrought: 0,
  }
  await db.transaction(async (trx) => {
    await lockLeases(trx, seen.id)
    const isBusy = (await findLease(trx, seen.id, at)) !== undefined
    if (isBusy || !(await replaceDocument(trx, seen, document)))
      throw new Problem('stale-version', `${seen.id} moved on while it was archived`)
    await insertVersion(trx, version)
    await deleteDocumentStamp(trx, base)
    await replaceArchive(trx, {
      documentId: seen.id,
      officeId: seen.officeId,
      version: document.version,
      state: isComplete ? 'kept' : 'waiting',
      stateSince: at,
      attempts: 0,
      dueAt: isComplete ? renewalOf(stamp.holdsUntil, at) : at,
      holdsUntil: stamp.holdsUntil,
      fault: null,
    })
    if (isComplete) await requestFinalConstancia(trx, document, staged.sha256, 'archived', at)
    await appendSystemEvent(trx, {
      by: 'archivo',
      at,
      officeId: seen.officeId,
      action: 'document.archived',
      subject: { kind: 'document', id: seen.id },
      result: 'success',
      details: {
        version: document.version,
        sha256: staged.sha256,
        timestamp: stamp.by,
        proof: isComplete ? 'B-LTA' : 'B-T',
        holdsUntil: stamp.holdsUntil,
      },
    })
  })
  return { document, base: version }
}
