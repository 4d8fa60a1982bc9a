import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findVersion, insertVersion } from '#server/db/documents/document-versions.ts'
import { findDocument, lockFolios, replaceFileRow } from '#server/db/documents/documents.ts'
import { findLease, lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { lockLastFindings, removeJudgement } from '#server/db/documents/upload-judgements.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { type Document, mustHaveFile } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { refusingOtherFiles } from '#server/domain/documents/refuse-other-files.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import { beginJudgement } from '#server/steps/judgements/begin-judgement.ts'
import { type InspectedUpload, inspectUpload } from '#server/steps/judgements/inspect-upload.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import type { Content } from './upload-document.ts'

export const ReplaceFile = z.object({
  documentId: DocumentId,
  /** The version on the screen. */
  version: z.coerce.number().int().positive(),
  fileName: FileName,
  /** What changed; null if not stated. */
  reason: Reason.nullable(),
})
export type ReplaceFile = z.infer<typeof ReplaceFile>

/**
 * Gives a draft another file, which becomes its next version and is judged like any upload. The earlier versions stay. A
 * place that was chosen for stamps is forgotten: it was blank in the earlier file.
 *
 * @param input.content the bytes of the file; not read after a refusal
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`, `file-purged`, `file-changed`, `same-file`,
 *   `someone-signing`, and what `uploadDocument` throws about files
 */
export async function replaceFile(
  system: System,
  actor: Actor,
  { content, ...input }: ReplaceFile & { content: Content },
): Promise<void> {
  const { db, clock, blobs, pdf, settings } = system
  const { person, document } = await findForReplacement(system, actor, input.documentId)
  const office = await findOffice(db, document.officeId)
  if (!office) throw new Problem('not-found', `no office ${document.officeId}`)

  const limit = Math.min(settings.uploadLimit, office.uploadLimit)
  const staged = await blobs.stage(refusingOtherFiles(content), limit)
  try {
    const inspection = await inspectUpload(pdf, staged.file)
    if (inspection.isDynamicForm)
      throw new Problem('dynamic-xfa', 'a program inside the file builds its pages')
    // Durable before visible, as for every upload.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await staged.keep(office.id)
      const upload = { ...input, person, staged, inspection, at: clock.now() }
      if (await db.transaction((trx) => commit(trx, upload))) return
    }
    throw new Error(`${staged.sha256} is purged again and again`)
  } finally {
    await staged.discard()
  }
}

/** The same content, of another document, may be purged between its file and our row. */
const MOST_TRIES = 3

type Upload = ReplaceFile & {
  person: Person
  staged: StagedBlob
  inspection: InspectedUpload
  at: Instant
}

/** False if the file is not there any more: nothing was stored. */
async function commit(trx: Transaction, upload: Upload): Promise<boolean> {
  const { documentId, person, staged, inspection, at } = upload
  await lockLeases(trx, documentId)
  // Held by purges, too: see `storeUpload`.
  await lockFolios(trx, person.officeId)
  const seen = await mustBeAsSeen(trx, upload)
  const { officeId } = seen
  if (!(await findStoredFile(trx, { officeId, sha256: staged.sha256 }))) return false
  const lease = await findLease(trx, documentId, at)
  if (lease) throw new Problem('someone-signing', `${lease.id} holds ${documentId}`)
  if (!(await replaceFileRow(trx, { id: documentId, version: seen.version })))
    throw new Problem('file-changed', `${documentId} moved on meanwhile`)
  const version: DocumentVersion = {
    ...{ documentId, officeId, version: seen.version + 1 },
    ...{ sha256: staged.sha256, bytes: staged.bytes, pages: inspection.pages },
    ...{ cause: 'uploaded', by: person.userId, signer: null, at, fileName: upload.fileName },
    signaturesBrought: inspection.signatures,
  }
  // The job that judges takes the same lock and looks at the newest upload.
  await lockLastFindings(trx, documentId)
  await insertVersion(trx, version)
  await removeJudgement(trx, documentId)
  await beginJudgement(trx, version, inspection)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'document.file-replaced',
    subject: { kind: 'document', id: documentId },
    details: {
      ...{ version: version.version, sha256: version.sha256, bytes: version.bytes },
      ...{ replaced: seen.sha256, reason: upload.reason },
    },
  })
  return true
}

/** The current version of the draft. */
async function mustBeAsSeen(trx: Transaction, { documentId, version, staged }: Upload) {
  const document = await findDocument(trx, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  mustBeReplaceable(document)
  const current = await findVersion(trx, documentId, document.version)
  if (!current) throw new Error(`${documentId} lacks its version`)
  if (current.sha256 === staged.sha256)
    throw new Problem('same-file', `${documentId} has ${staged.sha256}`)
  if (document.version !== version)
    throw new Problem('file-changed', `${documentId} is at version ${document.version}`)
  return current
}

/**
 * A draft whose file the actor may replace, for the form.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `wrong-state`, `file-purged`
 */
export async function readReplaceable(
  system: System,
  actor: Actor,
  { documentId }: Pick<ReplaceFile, 'documentId'>,
): Promise<Document> {
  return (await findForReplacement(system, actor, documentId)).document
}

async function findForReplacement({ db, clock }: System, actor: Actor, id: DocumentId) {
  const document = await findDocument(db, id)
  if (!document) throw new Problem('not-found', `no document ${id}`)
  const subject = { kind: 'document', id } as const
  const action = 'document.replace-file'
  const person = await authorizeOrRecord(db, actor, action, document, clock.now(), subject)
  mustBeReplaceable(document)
  return { person, document }
}

/** @throws {Problem} `wrong-state`, `file-purged` */
function mustBeReplaceable(document: Document): void {
  if (document.state !== 'draft')
    throw new Problem('wrong-state', `${document.id} is ${document.state}, no draft`)
  mustHaveFile(document)
}
