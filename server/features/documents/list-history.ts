import { z } from 'zod'
import { type EventFilter, type EventPage, listEvents } from '#server/db/audit/event-pages.ts'
import { findLogView } from '#server/db/audit/logs.ts'
import { listSessionsOf } from '#server/db/signing-sessions/session-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import { HISTORY_ACTIONS } from '#server/domain/audit/history.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { type NamedEvent, nameSubjects } from '#server/steps/audit/name-subjects.ts'
import type { System } from '#server/system.ts'
import { findReadable } from './find-readable.ts'

export const ListHistory = z.object({
  documentId: DocumentId,
  /** Only events behind the one at this position: the `next` of the previous page. */
  before: z.coerce.number().int().nonnegative().optional(),
})
export type ListHistory = z.infer<typeof ListHistory>

export type HistoryPage = {
  document: Document
  events: NamedEvent[]
  /** The `before` of the next page; undefined on the last page. */
  next: number | undefined
}

/** A document has had more sessions only in tests. */
const MOST_SESSIONS = 100
/** Stretches of a thousand events that are looked through for a page: most may be views. */
const MOST_STRETCHES = 20

/**
 * A page of everything that was done to a document and in its signing sessions, newest first, for users who may read it. Its
 * readers are in the log alone.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function listHistory(
  system: System,
  actor: Actor,
  { documentId, before, size = 50 }: ListHistory & { size?: number },
): Promise<HistoryPage> {
  const { db, clock } = system
  const { document } = await findReadable(system, actor, documentId, clock.now())
  const sessions = await listSessionsOf(db, documentId, MOST_SESSIONS)
  const filter = {
    view: await findLogView(db, document.officeId),
    among: [documentId, ...sessions.map(({ id }) => id)].map((subjectId) => ({ subjectId })),
    actions: HISTORY_ACTIONS,
  }
  const { events, next } = await nextWithEvents(db, filter, { before, limit: size })
  return { document, events: await nameSubjects(db, mustBeSignedIn(actor), events), next }
}

/** Looks on behind stretches without such events; bounded, however often the document was read. */
async function nextWithEvents(
  db: Reader,
  filter: EventFilter,
  page: { before: number | undefined; limit: number },
): Promise<EventPage> {
  let found = await listEvents(db, { ...filter, ...page })
  for (let looked = 1; looked < MOST_STRETCHES; looked += 1) {
    if (found.events.length > 0 || found.next === undefined) break
    found = await listEvents(db, { ...filter, ...page, before: found.next })
  }
  return found
}
