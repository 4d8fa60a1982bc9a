import { findDocument } from '#server/db/documents/documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { findCompleted } from '#server/steps/signing/find-completed.ts'
import type { System } from '#server/system.ts'

/** A document whose copies the actor works with. @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function findCopied(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  { documentId, action, at }: { documentId: DocumentId; action: Action; at: Instant },
): Promise<{ person: Person; document: Document }> {
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  const subject = { kind: 'document', id: documentId } as const
  return { person: await authorizeOrRecord(db, actor, action, document, at, subject), document }
}

/** The version of which copies can be issued. @throws {Problem} `nothing-to-copy` if all signatures never were there */
export async function mustBeCompleted(db: Reader, document: Document): Promise<DocumentVersion> {
  const completed = await findCompleted(db, document)
  if (completed) return completed.version
  throw new Problem('nothing-to-copy', `${document.id} is ${document.state}`, {
    kind: document.state,
  })
}
