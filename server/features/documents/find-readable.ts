import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor, Guest } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { findGuestDocument } from '#server/steps/signing/find-guest-document.ts'
import type { System } from '#server/system.ts'

/** A document that the actor may read, and its subject in the log. */
export type Readable = {
  document: Document
  subject: { readonly kind: 'document'; readonly id: string }
}

/**
 * A document for staff of its office.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function findReadable(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  documentId: DocumentId,
  at: Instant,
): Promise<Readable> {
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: document.id } as const
  await authorizeOrRecord(db, actor, 'document.read', document, at, subject)
  return { document, subject }
}

/**
 * A document of the session of a guest.
 *
 * @throws {Problem} `not-found`, `consent-needed`
 */
export async function findReadableByGuest(
  { db }: Pick<System, 'db'>,
  guest: Guest,
  documentId: DocumentId,
  at: Instant,
): Promise<Readable> {
  const { document } = await findGuestDocument(db, guest, documentId, at)
  return { document, subject: { kind: 'document', id: document.id } }
}
