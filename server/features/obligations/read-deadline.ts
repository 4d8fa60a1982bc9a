import { findDocument } from '#server/db/documents/documents.ts'
import { findDeadline, listDeadlinesOf } from '#server/db/obligations/deadlines.ts'
import { findUser } from '#server/db/people/users.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { DeadlineId, DocumentId } from '#server/domain/ids.ts'
import type { NamedDeadline } from '#server/domain/obligations/deadline.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'
import { namedDeadlines } from './named-deadlines.ts'

/** `by`: who changed its state last; null if no user did. */
export type DeadlineDetail = NamedDeadline & { by: string | null; today: Day }

/** One deadline of the caller's office. @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function readDeadline(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { deadlineId }: { deadlineId: DeadlineId },
): Promise<DeadlineDetail> {
  const at = clock.now()
  const { office } = await authorizedOffice({ db }, actor, 'obligations.read', at)
  const found = await findDeadline(db, office.id, deadlineId)
  const [named] = found ? await namedDeadlines(db, office, [found]) : []
  if (!named) throw new Problem('not-found', `no deadline ${deadlineId}`)
  const { stateBy } = named.deadline
  const by = stateBy === null ? undefined : await findUser(db, stateBy)
  return { ...named, by: by ? fullName(by) : null, today: dayOf(at, office.timeZone) }
}

/**
 * The deadlines of a document of the caller's office, the earliest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readDocumentDeadlines(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentId }: { documentId: DocumentId },
): Promise<{ deadlines: NamedDeadline[]; today: Day }> {
  const at = clock.now()
  const { office } = await authorizedOffice({ db }, actor, 'obligations.read', at)
  const document = await findDocument(db, documentId)
  if (document?.officeId !== office.id) throw new Problem('not-found', `no document ${documentId}`)
  const found = await listDeadlinesOf(db, documentId)
  return {
    deadlines: found.length === 0 ? [] : await namedDeadlines(db, office, found),
    today: dayOf(at, office.timeZone),
  }
}
