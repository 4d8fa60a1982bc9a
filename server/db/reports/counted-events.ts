import { sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { AuditAction } from '#server/domain/audit/event.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Stretch, TimedRow } from './stretch.ts'

export type CountedEvent = TimedRow<number> & {
  /** The id of a person or of an external signer, or the kind of another actor. */
  actor: string
  subjectId: string | null
}

/** The events of one kind in the order of time. Their columns are compared with their signed bytes by the check of the log. */
export async function listCountedEvents(
  db: Reader,
  action: AuditAction,
  stretch: Stretch<number>,
): Promise<CountedEvent[]> {
  const rows = await eventsIn(db, action, stretch)
    .select(['seq', 'at', 'actor', 'subject_id'])
    .execute()
  return rows.map(({ seq: id, at, actor, subject_id: subjectId }) => ({
    ...{ id, at, actor, subjectId },
  }))
}

/** The same with the number of attempts that each tells of. */
export async function listRepeatedEvents(
  db: Reader,
  action: AuditAction,
  stretch: Stretch<number>,
): Promise<(CountedEvent & { times: number })[]> {
  const rows = await eventsIn(db, action, stretch)
    .select(['seq', 'at', 'actor', 'subject_id', 'canonical'])
    .execute()
  return rows.map(({ seq: id, at, actor, subject_id: subjectId, canonical }) => ({
    ...{ id, at, actor, subjectId, times: timesIn(canonical) },
  }))
}

/** The last event of this kind about each subject, no later than `to`; absent for those without one. */
export async function lastEventsAbout(
  db: Reader,
  action: AuditAction,
  subjects: readonly string[],
): Promise<Map<string, Instant>> {
  const rows = await inChunks(subjects, (chunk) =>
    db
      .selectFrom('audit_events')
      .select(['subject_id', 'at'])
      .where('subject_id', 'in', chunk)
      .where('action', '=', action)
      .execute(),
  )
  const last = new Map<string, Instant>()
  for (const { subject_id: subject, at } of rows)
    if (subject !== null && at > (last.get(subject) ?? -1)) last.set(subject, at)
  return last
}

function eventsIn(
  db: Reader,
  action: AuditAction,
  { officeId, from, to, behind, limit }: Stretch<number>,
) {
  const query = db
    .selectFrom('audit_events')
    .where('office_id', '=', officeId)
    .where('action', '=', action)
    .where('at', '>=', behind?.at ?? from)
    .where('at', '<=', to)
    .orderBy('at')
    .orderBy('seq')
    .limit(limit)
  return behind ? query.where(sql<boolean>`(at, seq) > (${behind.at}, ${behind.id})`) : query
}

/** Failed attempts of a minute are one event with their count. */
function timesIn(canonical: Uint8Array): number {
  const { details } = JSON.parse(Buffer.from(canonical).toString('utf8')) as {
    details: { count?: unknown }
  }
  return typeof details.count === 'number' ? details.count : 1
}
