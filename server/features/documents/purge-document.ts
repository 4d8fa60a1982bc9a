import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument, lockFolios, purgeDocumentRow } from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { removeJudgement } from '#server/db/documents/upload-judgements.ts'
import { wasSentToSign } from '#server/db/signing-sessions/session-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { isPurgeable } from '#server/domain/documents/uploaded-by-mistake.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { removeUnneededFiles } from './remove-unneeded-files.ts'

export const PurgeDocument = z.object({ documentId: DocumentId, reason: Reason })
export type PurgeDocument = z.infer<typeof PurgeDocument>

/**
 * Removes the file of a document that was uploaded by mistake and never sent to be signed; a draft is cancelled with it.
 * Its row, folio and events stay. The file stays, too, while another document of the office has the same content. If
 * we crash before the file is removed, a job removes it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`, `wrong-state`, `someone-signing`
 */
export async function purgeDocument(
  system: System,
  actor: Actor,
  { documentId, reason }: PurgeDocument,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, subject } = await findPurgeable(system, actor, documentId, at)
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    // Uploads hold it, too: one of the same content either has its row by now, or finds the file gone and stores it again.
    await lockFolios(trx, person.officeId)
    const document = await findDocument(trx, documentId)
    if (!document || !isPurgeable(document, await pastOf(trx, documentId)))
      throw new Problem('wrong-state', `${documentId} moved on`)
    const lease = await findLease(trx, documentId, at)
    if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
    if (!(await purgeDocumentRow(trx, document, { at, by: person.userId })))
      throw new Problem('wrong-state', `${documentId} moved on meanwhile`)
    await removeJudgement(trx, documentId)
    const versions = await listVersions(trx, documentId)
    for (const version of versions) await giveUpFile(trx, version, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.purged',
      subject,
      details: { reason, sha256: versions[0]?.sha256 ?? null, bytes: versions[0]?.bytes ?? null },
    })
  })
  await removeUnneededFiles(system)
}

/**
 * A document that the actor may purge, for the form.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`, `wrong-state`
 */
export async function readPurgeable(
  system: System,
  actor: Actor,
  { documentId }: Pick<PurgeDocument, 'documentId'>,
): Promise<Document> {
  return (await findPurgeable(system, actor, documentId, system.clock.now())).document
}

async function findPurgeable({ db }: System, actor: Actor, id: DocumentId, at: Instant) {
  const document = await findDocument(db, id)
  if (!document) throw new Problem('not-found', `no document ${id}`)
  const subject = { kind: 'document', id } as const
  const person = await authorizeOrRecord(db, actor, 'document.purge', document, at, subject)
  if (!isPurgeable(document, await pastOf(db, id)))
    throw new Problem('wrong-state', `${id} is ${document.state}, or was sent to be signed`)
  return { person, document, subject }
}

const pastOf = async (db: Reader, id: DocumentId) => ({
  wasSentToSign: await wasSentToSign(db, id),
  versions: await listVersions(db, id),
})
