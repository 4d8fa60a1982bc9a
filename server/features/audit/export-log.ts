import { z } from 'zod'
import { type EventPage, listEventsFrom, logsOf } from '#server/db/audit/event-pages.ts'
import { countEvents } from '#server/db/audit/logs.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { type LogPosition, positionOf } from '#server/domain/audit/log.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { type NamedEvent, nameSubjects } from '#server/steps/audit/name-subjects.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { filterIn, ListRecentEvents } from './list-recent-events.ts'

/** An event as recorded, with its position in the log and what it is about. */
export type LogEvent = NamedEvent

export const ExportLog = ListRecentEvents.omit({ before: true }).extend({
  format: z.enum(['csv', 'jsonl']),
})
export type ExportLog = z.infer<typeof ExportLog>

/**
 * All events of the office's log that match the filters, in the order of the log, up to the event of this export.
 * Each costs the same, however long the log is; other requests run in between.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `search-too-wide` if the events of the search would not be all
 */
export async function exportLog(system: System, actor: Actor, { format, ...asked }: ExportLog) {
  const { db, eventQueue, clock } = system
  const own = mustBeSignedIn(actor)
  const at = clock.now()
  const person = await authorizeOrRecord(db, actor, 'audit.read', own, at)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const { filter, isPartial } = await filterIn(system, person, office, asked)
  if (isPartial) throw new Problem('search-too-wide', 'a search of the log that leaves out events')
  const { position } = await eventQueue.append({
    actor: person,
    at,
    action: 'audit.exported',
    subject: { kind: 'office', id: office.id },
    details: { format, ...loggedFilters(asked) },
  })
  return { timeZone: office.timeZone, events: eventsBefore(position) }

  async function* eventsBefore(end: LogPosition): AsyncGenerator<LogEvent> {
    for (const log of logsOf(filter.view)) {
      const behind = positionOf(log, await countEvents(db, log))
      yield* eventsIn(positionOf(log, 0), Math.min(end, behind))
    }
  }

  async function* eventsIn(start: LogPosition, end: LogPosition): AsyncGenerator<LogEvent> {
    const letOthersRun = turnTaker()
    let from: LogPosition | undefined = start
    while (from !== undefined) {
      const stretch: EventPage = await listEventsFrom(db, filter, { from, end })
      for (const event of await nameSubjects(db, person, stretch.events)) {
        yield event
        await letOthersRun()
      }
      await letOthersRun()
      from = stretch.next
    }
  }
}

/** What was searched for may name a client, and the log is never rewritten: it has only that there was a search. */
function loggedFilters({ text, ...filters }: Omit<ExportLog, 'format'>): Record<string, string> {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return { ...Object.fromEntries(given), ...(text && { text: 'yes' }) }
}
