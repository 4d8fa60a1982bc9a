import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { NamedEvent } from '#server/steps/audit/name-subjects.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { endOfLog, type ListRecentEvents, listRecentEvents } from './list-recent-events.ts'

export type ListNewEvents = Omit<ListRecentEvents, 'before'> & {
  /** The `end` of the page, or of the last call. */
  after: number
}

export type NewEvents = {
  /** Newest first. */
  events: NamedEvent[]
  end: number
  /** Whether more events are new than a page has. */
  hasMore: boolean
}

/**
 * The events that the log got since a page of it was read. An open page asks every few seconds: without new events it costs one
 * look at the end of the log.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function listNewEvents(
  system: System,
  actor: Actor,
  { after, ...input }: ListNewEvents,
): Promise<NewEvents> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'audit.read-own', own, clock.now())
  if ((await endOfLog(db, officeId)) <= after) return { events: [], end: after, hasMore: false }
  const page = await listRecentEvents(system, actor, input)
  const events = page.events.filter(({ position }) => position >= after)
  const hasMore = events.length === page.events.length && page.next !== undefined
  return { events, end: page.end, hasMore }
}
