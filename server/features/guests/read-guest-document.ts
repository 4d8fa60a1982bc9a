import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { heldFor, versionsInSession } from '#server/domain/signing/session/held-for.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { findGuest } from '#server/steps/signing/find-guest.ts'
import type { System } from '#server/system.ts'

export const ReadGuestDocument = z.object({ documentId: DocumentId })
export type ReadGuestDocument = z.infer<typeof ReadGuestDocument>

export type GuestDocumentDetail =
  /** `readSigning` tells the rest. */
  | { held: 'now' | 'waiting' }
  /** `version` is the newest that the session made of it. */
  | {
      held: 'signed'
      document: Document
      version: DocumentVersion
      signer: Signer
      session: SigningSession
    }

/**
 * What an external signer has of one document. Looking at a signed one is written into the log.
 *
 * @throws {Problem} `signing-link-over`, `consent-needed`; `not-found` also for what the link was not made for;
 *   `session-overdue`, `session-over` once there is nothing to sign any more
 */
export async function readGuestDocument(
  system: System,
  actor: Actor,
  { documentId }: ReadGuestDocument,
): Promise<GuestDocumentDetail> {
  const { db, clock } = system
  const now = clock.now()
  const { guest, ceremony, signer } = await findGuest(db, actor)
  if (guest.consentedAt === null) throw new Problem('consent-needed', 'did not agree yet')
  const document = await findDocument(db, documentId)
  if (!document || !ceremony.documents.some(({ id }) => id === documentId))
    throw new Problem('not-found', `${documentId} is not held for ${signer.id}`)
  const held = heldFor(ceremony, signer, documentId, now)
  if (held === 'nothing') throw overOrOverdue(ceremony.session)
  if (held !== 'signed') return { held }
  const [version] = versionsInSession(ceremony, await listVersions(db, documentId))
  if (!version) throw new Error(`${documentId} was signed and has no version`)
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor: guest,
      at: now,
      action: 'document.viewed',
      subject: { kind: 'document', id: documentId },
      details: { version: version.version },
    }),
  )
  return { held, document, version, signer, session: ceremony.session }
}

/** More time can be given to a session as long as it holds its documents. */
const overOrOverdue = ({ id, state }: SigningSession) =>
  new Problem(
    state === 'open' || state === 'expired' ? 'session-overdue' : 'session-over',
    `${id} is ${state}`,
  )
