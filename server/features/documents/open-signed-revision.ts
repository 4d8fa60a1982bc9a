import { z } from 'zod'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { type Document, mustHaveFile } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { readInTurn } from '#server/steps/documents/read-in-turn.ts'
import { reportDamage } from '#server/steps/signing/report-damage.ts'
import type { System } from '#server/system.ts'
import { findReadable } from './find-readable.ts'

export const OpenSignedRevision = z.object({
  documentId: DocumentId,
  /** Number of the signature in the report of the current file; counts from 1. */
  signature: z.coerce.number().int().positive(),
})
export type OpenSignedRevision = z.infer<typeof OpenSignedRevision>

export type OpenedRevision = {
  document: Document
  version: DocumentVersion
  /** The revision ends at this offset, in bytes. */
  end: number
}

/**
 * Returns the document as it was signed: the current file up to the end of the revision that the signature
 * covers. Logged before the first byte is sent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found`, also for a signature that covers no whole
 *   revision; `file-purged`, `damaged-pdf`, `pdf-too-complex`, `stored-file-damaged`
 */
export async function openSignedRevision(
  system: System,
  actor: Actor,
  input: OpenSignedRevision,
): Promise<OpenedRevision> {
  const { db, eventQueue, clock, blobs, pdf } = system
  const at = clock.now()
  const { document, subject } = await findReadable(system, actor, input.documentId, at)
  mustHaveFile(document)
  const version = await findVersion(db, document.id, document.version)
  if (!version) throw new Error(`${document.id} has no version ${document.version}`)
  const reading = readInTurn(system, actor, () =>
    blobs.withFile(version, (file) => pdf.signedRevisions(file)),
  )
  const ends = await reportDamage(system, { document, version }, reading)
  const end = ends[input.signature - 1]
  if (!end) throw new Problem('not-found', `no revision of signature ${input.signature}`)

  const { sha256 } = version
  const details = { version: version.version, sha256, signature: input.signature, bytes: end }
  await eventQueue.append({ actor, at, action: 'document.downloaded', subject, details })
  return { document, version, end }
}
