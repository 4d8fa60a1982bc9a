import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { PresenceFile } from '#server/domain/signing/exported-presence.ts'
import { exportPresence } from '#server/steps/signing/export-presence.ts'
import type { System } from '#server/system.ts'
import { findReadable } from './find-readable.ts'

export const ReadPresenceEvidence = z.object({ documentId: DocumentId })
export type ReadPresenceEvidence = z.infer<typeof ReadPresenceEvidence>

/**
 * The proofs of presence of a document's signers, in a form that anyone can check. A proof for a batch lists
 * its other documents by id and SHA-256, because the check needs them. Logged before it is sent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readExportedPresence(
  system: System,
  actor: Actor,
  input: ReadPresenceEvidence,
): Promise<{ file: PresenceFile; folio: string }> {
  const { db, eventQueue, clock } = system
  const at = clock.now()
  const { document, subject } = await findReadable(system, actor, input.documentId, at)
  const file = await exportPresence(db, document.id)
  await eventQueue.append({
    actor,
    at,
    action: 'document.downloaded',
    subject,
    details: { evidence: 'presence', proofs: file.proofs.length },
  })
  return { file, folio: document.folio }
}
