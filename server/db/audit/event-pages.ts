import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Reader } from '#server/db/transaction.ts'
import { unionOf } from '#server/db/union-of.ts'
import type { AuditAction } from '#server/domain/audit/event.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { type RecordedEvent, toRecorded } from './audit-events.ts'

/** Which events: always those of the office and those without an office. */
export type EventFilter = {
  officeId: OfficeId
  subjectId?: string | undefined
  /** Only events of this person. */
  actorId?: UserId | undefined
  /** Only these actions. */
  actions?: readonly AuditAction[] | undefined
  /** From this instant. */
  from?: Instant | undefined
  /** Up to and including this instant. */
  to?: Instant | undefined
}

export type EventPage = {
  events: RecordedEvent[]
  /** Where the next page begins; undefined on the last page. */
  next: number | undefined
}

/** Events about one subject that a page compares with the other filters. */
const COMPARED = 1000

/** Positions of the log that an export reads at a time. */
const STRETCH = 200

/**
 * A page of events, newest first, by their time; those about one subject by their position. Reads a bounded number
 * of rows, however long the log is: a page about one subject may have fewer events than `limit`, or none, and
 * still have a next page.
 *
 * @param before the `next` of the previous page
 */
export async function listEvents(
  db: Reader,
  page: EventFilter & { before?: number | undefined; limit: number },
): Promise<EventPage> {
  const { subjectId, before, limit, ...filter } = page
  return subjectId === undefined
    ? await listByTime(db, filter, { before, limit })
    : await listAbout(db, { ...filter, subjectId }, { before, limit })
}

/**
 * The events among the next positions of the log from `from`, in the order of the log.
 *
 * @returns `next`: the `from` of the next call; undefined if `end` is reached
 */
export async function listEventsFrom(
  db: Reader,
  filter: EventFilter,
  { from, end }: { from: number; end: number },
): Promise<EventPage> {
  const next = await endOfStretch(db, filter.subjectId, { from, end })
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('seq', '>=', from)
    .where('seq', '<', next ?? end)
    .where(passes(filter))
    .orderBy('seq')
    .execute()
  return { events: rows.map(toRecorded), next }
}

type Page = { before: number | undefined; limit: number }

async function listByTime(db: Reader, filter: EventFilter, page: Page): Promise<EventPage> {
  const last = page.before === undefined ? undefined : await findPosition(db, page.before)
  const found = await unionOf(newestParts(db, filter, last, page.limit + 1))
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(page.limit + 1)
    .execute()
  const positions = found.slice(0, page.limit).map(({ seq }) => seq)
  return {
    events: await findEvents(db, positions),
    next: found.length > page.limit ? positions.at(-1) : undefined,
  }
}

type Position = { at: Instant; seq: number }

/** One select for each office and action: each is a stretch of one index, read from its end. */
function newestParts(db: Reader, filter: EventFilter, last: Position | undefined, limit: number) {
  const { officeId, actorId, actions, from, to } = filter
  const end = endOf(last, to)
  const select = (office: OfficeId | null, action: AuditAction | undefined) => {
    let query = db
      .selectFrom('audit_events')
      .select(['at', 'seq'])
      .where('office_id', office === null ? 'is' : '=', office)
    if (actorId !== undefined) query = query.where('actor', '=', actorId)
    if (action !== undefined) query = query.where('action', '=', action)
    if (from !== undefined) query = query.where('at', '>=', from)
    if (end) query = query.where(end)
    const newest = query
      // PostgreSQL takes `is null` for a range: without this column it would sort the whole part.
      .orderBy('office_id', 'desc')
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit)
    return db.selectFrom(newest.as('newest')).select(['at', 'seq'])
  }
  return [officeId, null].flatMap((office) =>
    actions ? actions.map((action) => select(office, action)) : [select(office, undefined)],
  )
}

/** The earlier one of two ends: an index starts at one. */
function endOf(last: Position | undefined, to: Instant | undefined) {
  if (last && (to === undefined || last.at <= to))
    return sql<SqlBool>`(at, seq) < (${last.at}, ${last.seq})`
  return to === undefined ? undefined : sql<SqlBool>`at <= ${to}`
}

async function findPosition(db: Reader, seq: number): Promise<Position | undefined> {
  return await db
    .selectFrom('audit_events')
    .select(['at', 'seq'])
    .where('seq', '=', seq)
    .executeTakeFirst()
}

/** The events at these positions, in this order. */
async function findEvents(db: Reader, positions: readonly number[]): Promise<RecordedEvent[]> {
  const rows = await inChunks(positions, (chunk) =>
    db.selectFrom('audit_events').selectAll().where('seq', 'in', chunk).execute(),
  )
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  return positions.flatMap((seq) => bySeq.get(seq) ?? []).map(toRecorded)
}

async function listAbout(
  db: Reader,
  filter: EventFilter & { subjectId: string },
  { before, limit }: Page,
): Promise<EventPage> {
  let about = db.selectFrom('audit_events').where('subject_id', '=', filter.subjectId)
  if (before !== undefined) about = about.where('seq', '<', before)
  about = about.orderBy('seq', 'desc')
  const rest = await about.select('seq').offset(COMPARED).limit(1).executeTakeFirst()
  if (rest) about = about.where('seq', '>', rest.seq)
  const rows = await about
    .selectAll()
    .where(passes(filter))
    .limit(limit + 1)
    .execute()
  const events = rows.slice(0, limit).map(toRecorded)
  return { events, next: rows.length > limit ? events.at(-1)?.seq : rest && rest.seq + 1 }
}

/** Where the next stretch begins: so many positions further, or so many events about the subject. */
async function endOfStretch(
  db: Reader,
  subjectId: string | undefined,
  { from, end }: { from: number; end: number },
): Promise<number | undefined> {
  if (subjectId === undefined) return from + STRETCH < end ? from + STRETCH : undefined
  const next = await db
    .selectFrom('audit_events')
    .select('seq')
    .where('subject_id', '=', subjectId)
    .where('seq', '>=', from)
    .where('seq', '<', end)
    .orderBy('seq')
    .offset(STRETCH)
    .limit(1)
    .executeTakeFirst()
  return next?.seq
}

/**
 * All conditions of the filter, for rows that are few. The condition on the office fits no index, so that SQLite
 * does not read the whole office instead of these rows.
 */
function passes({ officeId, subjectId, actorId, actions, from, to }: EventFilter) {
  return (eb: ExpressionBuilder<Tables, 'audit_events'>) =>
    eb.and([
      sql<SqlBool>`coalesce(office_id, ${officeId}) = ${officeId}`,
      ...(subjectId === undefined ? [] : [eb('subject_id', '=', subjectId)]),
      ...(actorId === undefined ? [] : [eb('actor', '=', actorId)]),
      ...(actions === undefined ? [] : [eb('action', 'in', actions)]),
      ...(from === undefined ? [] : [eb('at', '>=', from)]),
      ...(to === undefined ? [] : [eb('at', '<=', to)]),
    ])
}
