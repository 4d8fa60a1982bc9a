import { findDocument } from '#server/db/documents/documents.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function findCheckedDocument(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  action: Extract<Action, 'document.read' | 'document.check'>,
  id: DocumentId,
  at: Instant,
) {
  const document = await findDocument(db, id)
  if (!document) throw new Problem('not-found', `no document ${id}`)
  const subject = { kind: 'document', id } as const
  const person = await authorizeOrRecord(db, actor, action, document, at, subject)
  return { document, person, subject }
}
