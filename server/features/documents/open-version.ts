import { z } from 'zod'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findReadableVersion } from './find-readable-version.ts'

export const OpenVersion = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Page pictures for a preview, or the file itself. */
  purpose: z.enum(['preview', 'download']).default('download'),
})
export type OpenVersion = z.infer<typeof OpenVersion>

export type OpenedVersion = { document: Document; version: DocumentVersion }

/**
 * Authorizes access to a version and logs it before the first byte is sent; `streamVersion` gives
 * its bytes.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `consent-needed`
 */
export async function openVersion(
  system: System,
  actor: Actor,
  input: OpenVersion,
): Promise<OpenedVersion> {
  const { eventQueue, clock } = system
  const at = clock.now()
  const { document, version, subject } = await findReadableVersion(system, actor, input, at)

  await eventQueue.append({
    actor,
    at,
    action: input.purpose === 'download' ? 'document.downloaded' : 'document.previewed',
    subject,
    details: { version: version.version, sha256: version.sha256 },
  })
  return { document, version }
}
