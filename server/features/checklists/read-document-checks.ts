import { listChecks } from '#server/db/documents/document-checks.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { ActId, DocumentId } from '#server/domain/ids.ts'
import type { DocumentCheck } from '#server/domain/signing/act/checklist.ts'
import type { System } from '#server/system.ts'
import { findCheckedDocument } from './find-checked-document.ts'

/** A list of a document, with the name of the user who changed each item last. */
export type DocumentList = {
  actId: ActId
  actName: string
  checks: { check: DocumentCheck; by: string | null }[]
}

/**
 * The lists of a document, by the names of their acts.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readDocumentChecks(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId }: { documentId: DocumentId },
): Promise<{ document: Document; lists: DocumentList[] }> {
  const at = clock.now()
  const { document } = await findCheckedDocument({ db }, actor, 'document.read', documentId, at)
  const checks = await listChecks(db, documentId)
  const users = await findUsers(
    db,
    checks.map(({ by }) => by),
  )
  const lists = [...Map.groupBy(checks, ({ actId }) => actId)].map(([actId, items]) => ({
    ...{ actId, actName: items[0]?.actName ?? '' },
    checks: items.map((check) => {
      const user = users.get(check.by)
      return { check, by: user ? fullName(user) : null }
    }),
  }))
  const sorted = lists.toSorted((one, other) => one.actName.localeCompare(other.actName, 'es-MX'))
  return { document, lists: sorted }
}
