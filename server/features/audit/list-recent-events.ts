import { z } from 'zod'
import { listEvents, type RecordedEvent } from '#server/db/audit-events.ts'
import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'

const PAGE = 50

export const ListRecentEvents = z.object({
  /** Only events before this place in the log: the `next` of the page before. */
  before: z.coerce.number().int().nonnegative().optional(),
  /** Only events about this document, user, session … */
  subjectId: z.uuid().optional(),
})
export type ListRecentEvents = z.infer<typeof ListRecentEvents>

export type EventPage = {
  events: RecordedEvent[]
  /** Where the next page begins; undefined on the last one. */
  next: number | undefined
}

/**
 * A page of the office's log, the newest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listRecentEvents(
  system: System,
  actor: Actor,
  input: ListRecentEvents,
): Promise<EventPage> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'audit.read', own, clock.now())
  const found = await listEvents(db, { ...input, officeId: person.officeId, limit: PAGE + 1 })
  const events = found.slice(0, PAGE)
  return { events, next: found.length > PAGE ? events.at(-1)?.seq : undefined }
}
