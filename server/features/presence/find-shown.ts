import { z } from 'zod'
import { listNamedVersions } from '#server/db/documents/document-versions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { MOST_PRESENT, type ShownDocument } from '#server/domain/signing/presence.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeParties } from '#server/steps/signing/authorize-party.ts'
import { listSignables } from '#server/steps/signing/find-signable.ts'
import type { System } from '#server/system.ts'

/** The documents to be signed, each at the version on the screen. */
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
 * The digests of documents that the actor may sign, directly or in the session that holds them.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer`
 */
export async function findShown(
  { db }: System,
  actor: Actor,
  documents: PresentDocuments,
  at: Instant,
): Promise<ShownDocument[]> {
  const signables = await listSignables(
    db,
    documents.map(({ documentId }) => documentId),
  )
  await authorizeParties(db, actor, signables, at)
  const contents = await listNamedVersions(db, documents)
  return documents.map(({ documentId, version }) => {
    const content = contents.find((one) => one.documentId === documentId && one.version === version)
    if (!content) throw new Problem('not-found', `no version ${version} of ${documentId}`)
    return { documentId, sha256: content.sha256 }
  })
}
