import { z } from 'zod'
import { type EventFilter, listEvents } from '#server/db/audit/event-pages.ts'
import { countEvents, findLogView } from '#server/db/audit/logs.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import { type LogPosition, positionOf } from '#server/domain/audit/log.ts'
import { AuditTopic, actionsAbout } from '#server/domain/audit/topic.ts'
import { Day, endOfDay, startOfDay } from '#server/domain/day.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { type OfficeId, UserId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { type NamedEvent, nameSubjects } from '#server/steps/audit/name-subjects.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { findSources } from './find-sources.ts'

/** With more, the first visit to the page would load more than 205 KB. */
const PAGE = 40

export const ListRecentEvents = z.object({
  /** Only events behind the one at this position: the `next` of the previous page. */
  before: z.coerce.number().int().nonnegative().optional(),
  /** Only events about this document, user, session … */
  subjectId: z.uuid().optional(),
  about: AuditTopic.optional(),
  /** Only events of this person; has no effect for users who may read only their own events. */
  by: UserId.optional(),
  /** A search as people write it: a document, a person, a kind of event; see `findSources`. */
  text: z.string().trim().max(200).optional(),
  /** The first and the last day, in the office's time zone. */
  from: Day.optional(),
  to: Day.optional(),
})
export type ListRecentEvents = z.infer<typeof ListRecentEvents>

export type EventPage = {
  /** Events of the whole office, or only of the caller. */
  reach: 'office' | 'own'
  events: NamedEvent[]
  /** The `before` of the next page; undefined on the last page. */
  next: LogPosition | undefined
  /** Whether the search has more documents than were looked at. */
  isPartial: boolean
  /** The end of the office's log when the page was read: later events are at this position and above. */
  end: LogPosition
}

/**
 * A page of the office's log, newest first, limited by the caller's roles.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function listRecentEvents(
  system: System,
  actor: Actor,
  input: ListRecentEvents,
): Promise<EventPage> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'audit.read-own', own, clock.now())
  const reach = isAllowed(person.roles, 'audit.read') ? 'office' : 'own'
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const end = await endOfLog(db, person.officeId)
  const by = reach === 'own' ? person.userId : input.by
  const { filter, isPartial } = await filterIn(system, person, office, { ...input, by })
  const { events, next } = await listEvents(db, { ...filter, before: input.before, limit: PAGE })
  return { reach, events: await nameSubjects(db, person, events), next, isPartial, end }
}

/** Where the next event of the office will be. */
export async function endOfLog(db: Reader, officeId: OfficeId): Promise<LogPosition> {
  const { own } = await findLogView(db, officeId)
  return positionOf(own, await countEvents(db, own))
}

/** The filter with days as instants in the office's time zone, and the search as what it names. */
export async function filterIn(
  system: Pick<System, 'db' | 'clock'>,
  reader: Pick<Person, 'officeId' | 'roles'>,
  office: Office,
  { subjectId, about, by, text, from, to }: Omit<ListRecentEvents, 'before'>,
): Promise<{ filter: EventFilter; isPartial: boolean }> {
  const found = text ? await findSources(system, reader, text) : undefined
  return {
    filter: {
      subjectId,
      view: await findLogView(system.db, office.id),
      actorId: by,
      actions: about && actionsAbout(about),
      from: from && startOfDay(from, office.timeZone),
      to: to && endOfDay(to, office.timeZone),
      among: found?.among,
    },
    isPartial: found?.isPartial ?? false,
  }
}
