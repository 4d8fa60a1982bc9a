import { z } from 'zod'
import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { findVersion } from '#server/db/document-versions.ts'
import { findDocument } from '#server/db/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { MOST_PRESENT, type ShownDocument } from '#server/domain/signing/presence.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** What somebody is about to sign, each document at the version that stands on the screen. */
export const PresentDocuments = z
  .array(
    z.strictObject({
      documentId: DocumentId,
      version: z.coerce.number().int().positive(),
    }),
  )
  .min(1)
  .max(MOST_PRESENT)
export type PresentDocuments = z.infer<typeof PresentDocuments>

/**
 * The contents of documents that whoever asks may sign.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function findShown(
  { db }: System,
  actor: Actor,
  documents: PresentDocuments,
  at: Instant,
): Promise<(ShownDocument & { document: Document })[]> {
  const shown: (ShownDocument & { document: Document })[] = []
  for (const { documentId, version } of documents) {
    const document = await findDocument(db, documentId)
    if (!document) throw new Problem('not-found', `no document ${documentId}`)
    const subject = { kind: 'document', id: documentId } as const
    await authorizeOrRecord(db, actor, 'document.sign', document, at, subject)
    const content = await findVersion(db, documentId, version)
    if (!content) throw new Problem('not-found', `no version ${version} of ${documentId}`)
    shown.push({ documentId, sha256: content.sha256, document })
  }
  return shown
}
