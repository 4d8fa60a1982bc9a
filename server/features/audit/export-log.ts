import { z } from 'zod'
import { appendEvent, type RecordedEvent } from '#server/db/audit/audit-events.ts'
import { type EventPage, listEventsFrom } from '#server/db/audit/event-pages.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { filterIn, ListRecentEvents } from './list-recent-events.ts'

/** An event as recorded, with its position in the log. */
export type LogEvent = RecordedEvent

export const ExportLog = ListRecentEvents.omit({ before: true }).extend({
  format: z.enum(['csv', 'jsonl']),
})
export type ExportLog = z.infer<typeof ExportLog>

/**
 * All events of the office's log that match the filters, in the order of the log, up to the event of this export.
 * Each costs the same, however long the log is; other requests run in between.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function exportLog(system: System, actor: Actor, { format, ...asked }: ExportLog) {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const at = clock.now()
  const person = await authorizeOrRecord(db, actor, 'audit.read', own, at)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const { seq } = await db.transaction((trx) =>
    appendEvent(trx, {
      actor: person,
      at,
      action: 'audit.exported',
      subject: { kind: 'office', id: office.id },
      details: { format, ...given },
    }),
  )
  const filter = filterIn(office, asked)
  return { timeZone: office.timeZone, events: eventsBefore(seq) }

  async function* eventsBefore(end: number): AsyncGenerator<RecordedEvent> {
    const letOthersRun = turnTaker()
    let from: number | undefined = 0
    while (from !== undefined) {
      const stretch: EventPage = await listEventsFrom(db, filter, { from, end })
      for (const event of stretch.events) {
        yield event
        await letOthersRun()
      }
      await letOthersRun()
      from = stretch.next
    }
  }
}
