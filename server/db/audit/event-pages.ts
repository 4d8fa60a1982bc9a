import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { AuditEventRow } from '#server/db/tables/log.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Reader } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import { unionOf } from '#server/db/union-of.ts'
import type { AuditAction } from '#server/domain/audit/event.ts'
import { behindLog, FIRST_LOG, type LogNumber, type LogPosition } from '#server/domain/audit/log.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { type RecordedEvent, toRecorded } from './audit-events.ts'
import type { LogView } from './logs.ts'

/**
 * Some events: those about one subject, by one person, or of one kind. Each is a stretch of an index in the order of time.
 *
 * @property actions only these
 */
export type LogSource = (
  | { subjectId: string; action?: never; actorId?: never }
  | { actorId: UserId; action?: never; subjectId?: never }
  | { action: AuditAction; actorId?: never; subjectId?: never }
) & { actions?: readonly AuditAction[] | undefined }

/** Which events: always those that the office reads. */
export type EventFilter = {
  view: LogView
  subjectId?: string | undefined
  /** Only events of one of these sources; of none if there are none. */
  among?: readonly LogSource[] | undefined
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
  next: LogPosition | undefined
}

/** Events that a page compares with the other filters, of all its sources together. */
const COMPARED = 1000

/** Positions of the log that an export reads at a time. */
const STRETCH = 200

/**
 * A page of events, newest first, by their time. Reads a bounded number of rows, however long the log is: a page about one
 * subject or of several sources may have fewer events than `limit`, or none, and still have a next page.
 *
 * @param before the `next` of the previous page
 */
export async function listEvents(
  db: Reader,
  page: EventFilter & { before?: LogPosition | undefined; limit: number },
): Promise<EventPage> {
  const { before, limit, ...filter } = page
  const sources = filter.subjectId === undefined ? filter.among : [{ subjectId: filter.subjectId }]
  return sources
    ? await listFromSources(db, filter, sources, { before, limit })
    : await listByTime(db, filter, { before, limit })
}

/** The logs that the office reads, in the order of time. */
export const logsOf = ({ own, hasFirst }: LogView): LogNumber[] =>
  hasFirst && own !== FIRST_LOG ? [FIRST_LOG, own] : [own]

/**
 * The events among the next positions of one log from `from`, in the order of the log.
 *
 * @returns `next`: the `from` of the next call; undefined if `end` is reached
 */
export async function listEventsFrom(
  db: Reader,
  filter: EventFilter,
  { from, end }: { from: LogPosition; end: LogPosition },
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

type Page = { before: LogPosition | undefined; limit: number }

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

type Position = { at: Instant; seq: LogPosition }

/**
 * Events of no office are the installation's, but for those of the first log: they happened when the office was alone.
 */
const officesOf = ({ officeId, hasFirst }: LogView) => (hasFirst ? [officeId, null] : [officeId])

/** One select for each office and action: each is a stretch of one index, read from its end. */
function newestParts(db: Reader, filter: EventFilter, last: Position | undefined, limit: number) {
  const { view, actorId, actions, from, to } = filter
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
    if (office === null) query = query.where(isOfFirstLog)
    const newest = query
      // PostgreSQL takes `is null` for a range: without this column it would sort the whole part.
      .orderBy('office_id', 'desc')
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit)
    return db.selectFrom(newest.as('newest')).select(['at', 'seq'])
  }
  return officesOf(view).flatMap((office) =>
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

/**
 * Reads the newest events of each source and compares them with the filter. Of a source that has more, nothing is known before
 * the last one read: the page ends at the latest of these events.
 */
async function listFromSources(
  db: Reader,
  filter: EventFilter,
  sources: readonly LogSource[],
  { before, limit }: Page,
): Promise<EventPage> {
  if (sources.length === 0) return { events: [], next: undefined }
  const last = before === undefined ? undefined : await findPosition(db, before)
  const parts = sources.flatMap((source) => stretchesOf(source, filter.view))
  const most = Math.max(limit + 1, Math.ceil(COMPARED / parts.length))
  const read = await unionOf(
    parts.map((part, index) => newestOfPart(db, part, { index, filter, last, most })),
  ).execute()
  const full = [...Map.groupBy(read, ({ part }) => part).values()].filter(
    ({ length }) => length === most,
  )
  const ends = full.map((rows) => rows.toSorted(newestFirst).at(-1)!)
  const [floor] = ends.toSorted(newestFirst)
  const passed = read
    .filter((row) => !floor || newestFirst(row, floor) <= 0)
    .filter((row) => matches(row, filter))
    .toSorted(newestFirst)
  const positions = [...new Set(passed.map(({ seq }) => seq))]
  return {
    events: await findEvents(db, positions.slice(0, limit)),
    next: positions.length > limit ? positions[limit - 1] : floor?.seq,
  }
}

type Stretch = {
  column: 'subject_id' | 'actor' | 'action'
  value: string
  office?: OfficeId | null
}

/** An index of actors and of actions begins with the office; a subject belongs to one office. */
function stretchesOf(source: LogSource, view: LogView): Stretch[] {
  if (source.subjectId !== undefined) return [{ column: 'subject_id', value: source.subjectId }]
  const found =
    source.actorId === undefined
      ? ({ column: 'action', value: source.action } as const)
      : ({ column: 'actor', value: source.actorId } as const)
  return officesOf(view).map((office) => ({ ...found, office }))
}

type Compared = Pick<
  AuditEventRow,
  'at' | 'seq' | 'actor' | 'action' | 'office_id' | 'subject_id'
> & { part: number }

type PartQuery = {
  /** Of the part, to tell the rows of the parts apart. */
  index: number
  filter: EventFilter
  last: Position | undefined
  most: number
}

function newestOfPart(
  db: Reader,
  { column, value, office }: Stretch,
  { index, filter, last, most }: PartQuery,
) {
  let query = db
    .selectFrom('audit_events')
    .select(['at', 'seq', 'actor', 'action', 'office_id', 'subject_id'])
    .select(sql<number>`${sql.lit(index)}`.as('part'))
    .where(column, '=', value)
  if (office !== undefined) query = query.where('office_id', office === null ? 'is' : '=', office)
  if (office === null) query = query.where(isOfFirstLog)
  if (filter.from !== undefined) query = query.where('at', '>=', filter.from)
  const end = endOf(last, filter.to)
  if (end) query = query.where(end)
  // See `newestParts`.
  if (office !== undefined) query = query.orderBy('office_id', 'desc')
  const newest = query.orderBy('at', 'desc').orderBy('seq', 'desc').limit(most)
  return db.selectFrom(newest.as('newest')).selectAll()
}

const isOfFirstLog = sql<SqlBool>`seq < ${sql.lit(behindLog(FIRST_LOG))}`

const isInFirstLog = ({ seq }: Position) => seq < behindLog(FIRST_LOG)

const newestFirst = (one: Position, other: Position) => other.at - one.at || other.seq - one.seq

/** The conditions of `passes` that no stretch has. */
function matches(row: Compared, { view, actorId, actions, among }: EventFilter): boolean {
  const isOfOffice =
    row.office_id === null ? view.hasFirst && isInFirstLog(row) : row.office_id === view.officeId
  const isByActor = actorId === undefined || row.actor === actorId
  const isOfAction = actions === undefined || actions.includes(row.action as AuditAction)
  const isAmong = !among || among.some((source) => isFrom(row, source))
  return isOfOffice && isByActor && isOfAction && isAmong
}

function isFrom(row: Compared, { subjectId, actorId, action, actions }: LogSource): boolean {
  if (actions && !actions.includes(row.action as AuditAction)) return false
  if (subjectId !== undefined) return row.subject_id === subjectId
  return actorId === undefined ? row.action === action : row.actor === actorId
}

/** Where the next stretch begins: so many positions further, or so many events about the subject. */
async function endOfStretch(
  db: Reader,
  subjectId: string | undefined,
  { from, end }: { from: LogPosition; end: LogPosition },
): Promise<LogPosition | undefined> {
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
function passes({ view: { officeId }, subjectId, actorId, actions, from, to, among }: EventFilter) {
  return (eb: ExpressionBuilder<Tables, 'audit_events'>) =>
    eb.and([
      sql<SqlBool>`coalesce(office_id, ${officeId}) = ${officeId}`,
      ...(subjectId === undefined ? [] : [eb('subject_id', '=', subjectId)]),
      ...(actorId === undefined ? [] : [eb('actor', '=', actorId)]),
      ...(actions === undefined ? [] : [eb('action', 'in', actions)]),
      ...(from === undefined ? [] : [eb('at', '>=', from)]),
      ...(to === undefined ? [] : [eb('at', '<=', to)]),
      ...(among === undefined ? [] : [eb.or(among.map((source) => comesFrom(eb, source)))]),
    ])
}

function comesFrom(
  eb: ExpressionBuilder<Tables, 'audit_events'>,
  { subjectId, actorId, action, actions }: LogSource,
) {
  // Rows are found by their positions: no index of these columns may be chosen instead.
  const column = (name: string) => unindexed<string | null>(name)
  return eb.and([
    ...(subjectId === undefined ? [] : [eb(column('subject_id'), '=', subjectId)]),
    ...(actorId === undefined ? [] : [eb(column('actor'), '=', actorId)]),
    ...(action === undefined ? [] : [eb(column('action'), '=', action)]),
    ...(actions === undefined ? [] : [eb(column('action'), 'in', actions)]),
  ])
}
