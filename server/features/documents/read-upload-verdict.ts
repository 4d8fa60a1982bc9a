import { z } from 'zod'
import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { type Document, mustHaveFile } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { currentReport } from '#server/steps/judgements/current-report.ts'
import type { System } from '#server/system.ts'
import { findReadable, findReadableByGuest } from './find-readable.ts'

export const ReadUploadVerdict = z.object({ documentId: DocumentId })
export type ReadUploadVerdict = z.infer<typeof ReadUploadVerdict>

export type UploadVerdictView = {
  document: Document
  office: Office
  uploaded: DocumentVersion
  report: VerificationReport
}

/**
 * The current report on the file of a document as it arrived, for those who may read the document. Logs the view.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `consent-needed`, `file-purged`, `pdf-too-complex`
 */
export async function readUploadVerdict(
  system: System,
  actor: Actor,
  { documentId }: ReadUploadVerdict,
): Promise<UploadVerdictView> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const { document, subject } =
    actor.kind === 'guest'
      ? await findReadableByGuest(system, actor, documentId, at)
      : await findReadable(system, actor, documentId, at)
  mustHaveFile(document)
  const office = await findOffice(db, document.officeId)
  const uploaded = await findUploadedVersion(db, documentId)
  if (!office || !uploaded) throw new Problem('not-found', `${documentId} has no uploaded file`)
  const { report } = await currentReport(system, uploaded, { reader: actor })
  await eventQueue.append({
    actor,
    at,
    action: 'document.viewed',
    subject,
    details: { version: uploaded.version },
  })
  return { document, office, uploaded, report }
}
