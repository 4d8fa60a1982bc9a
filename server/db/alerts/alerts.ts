import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import { isAfterCursor } from '#server/db/after-cursor.ts'
import { countStates } from '#server/db/count-up-to.ts'
import type { AlertRow } from '#server/db/tables/log.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unionOf } from '#server/db/union-of.ts'
import {
  Alert,
  type AlertKind,
  type AlertSeverity,
  type AlertState,
} from '#server/domain/alerts/alert.ts'
import type { AlertId, OfficeId, UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { Instant } from '#server/domain/time.ts'

/** A new alert, as a use case raises it. */
export type NewAlert = {
  officeId: OfficeId
  /** The user who is warned; null for the administrators of the office. */
  userId: UserId | null
  kind: AlertKind
  severity: AlertSeverity
  subjectKind?: Alert['subjectKind']
  subjectId?: string
  facts?: Alert['facts']
  /** Unique, one of `occasions` or of `matters` with a number: a second alert for it is not inserted, or counted if its kind repeats. */
  occasion: string
  at: Instant
}

/** Returns false if this occasion already has an alert. */
export async function insertAlert(trx: Transaction, alert: NewAlert): Promise<boolean> {
  const inserted = await trx
    .insertInto('alerts')
    .values(toRow(alert))
    .onConflict((conflict) => conflict.column('occasion').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Counts another occurrence of the alert of this occasion and shows the new facts. The alert is open again, because
 * no one has seen this one.
 */
export async function repeatAlert(trx: Transaction, alert: NewAlert): Promise<void> {
  const { at, facts, subject_kind, subject_id } = toRow(alert)
  await trx
    .updateTable('alerts')
    .set({
      ...{ at, facts, subject_kind, subject_id },
      ...{ state: 'open', state_since: at, state_by: null },
      occurrences: sql`occurrences + 1`,
    })
    .where('occasion', '=', alert.occasion)
    .execute()
}

/** Shows the facts of today in the alert of this occasion, which is as open or read as before; a resolved one says what it said. */
export async function restateAlert(
  trx: Transaction,
  { occasion, facts }: Pick<NewAlert, 'occasion' | 'facts'>,
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ facts: JSON.stringify(facts ?? {}) })
    .where('occasion', '=', occasion)
    .where('state', '<>', 'resolved')
    .execute()
}

type Recipient = Pick<NewAlert, 'officeId' | 'userId' | 'kind'>

/** Whether the recipient got a mail about an alert of this kind after `since`. */
export async function wasMailedSince(
  db: Reader,
  { officeId, userId, kind }: Recipient,
  since: Instant,
): Promise<boolean> {
  const row = await db
    .selectFrom('alerts')
    .select('id')
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('kind', '=', kind)
    .where('mailed_at', '>', since)
    .where('office_id', '=', officeId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the alert of this occasion was mailed. */
export async function noteMailedAlert(
  trx: Transaction,
  { occasion, at }: Pick<NewAlert, 'occasion' | 'at'>,
): Promise<void> {
  await trx.updateTable('alerts').set({ mailed_at: at }).where('occasion', '=', occasion).execute()
}

/** Alerts of this user; with `office`, also those for the administrators. */
export type AlertReach = { officeId: OfficeId; userId: UserId; office: 'included' | 'left-out' }

export type AlertFilter = AlertReach & {
  states: readonly AlertState[]
  severities?: readonly AlertSeverity[]
  /** Only alerts that came later than `since`, and not later than `until`. */
  since?: Instant
  until?: Instant
  behind?: PageCursor<AlertId> | undefined
  limit: number
}

/** Newest first. */
export async function listAlerts(db: Reader, filter: AlertFilter): Promise<Alert[]> {
  const { severities, since, until, behind, limit } = filter
  const parts = partsOf(db, filter, filter.states, limit).map((part) => {
    let newest = part.selectAll()
    if (severities) newest = newest.where('severity', 'in', severities)
    if (since !== undefined) newest = newest.where('at', '>', since)
    if (until !== undefined) newest = newest.where('at', '<=', until)
    if (behind) newest = newest.where(isAfterCursor(behind, 'at'))
    return db.selectFrom(newest.as('newest')).selectAll()
  })
  const rows = await unionOf(parts)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toAlert)
}

/**
 * Counts the alerts in each of these states; empty states are absent.
 *
 * @param most counts above it are at least `most`, but not exact
 */
export const countAlerts = (
  db: Reader,
  reach: AlertReach,
  states: readonly AlertState[],
  most: number,
): Promise<Partial<Record<AlertState, number>>> =>
  countStates(
    db,
    partsOf(db, reach, states, most).map((part) => part.select('state')),
  )

/** The newest alerts of each recipient in each state: each part is a stretch of the index of the inbox. */
function partsOf(
  db: Reader,
  { officeId, userId, office }: AlertReach,
  states: readonly AlertState[],
  limit: number,
) {
  const recipients = office === 'included' ? [userId, null] : [userId]
  return recipients.flatMap((recipient) =>
    states.map((state) =>
      db
        .selectFrom('alerts')
        .where('office_id', '=', officeId)
        .where('user_id', recipient === null ? 'is' : '=', recipient)
        .where('state', '=', state)
        // PostgreSQL takes `is null` for a range: without this column it would sort the whole part.
        .orderBy('user_id', 'desc')
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit),
    ),
  )
}

/** One alert within `reach`. */
export async function findAlert(
  db: Reader,
  reach: AlertReach,
  id: AlertId,
): Promise<Alert | undefined> {
  const row = await db
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', id)
    .where('office_id', '=', reach.officeId)
    .executeTakeFirst()
  const isReached =
    row?.user_id === reach.userId || (row?.user_id === null && reach.office === 'included')
  return row && isReached ? toAlert(row) : undefined
}

/**
 * Counts the resolved alerts of a matter. `matter` is the prefix of their occasions.
 *
 * @param options `byPeopleUntil`: leaves out those that people resolved later
 */
export async function countResolvedAlerts(
  db: Reader,
  matter: string,
  { byPeopleUntil }: { byPeopleUntil?: Instant } = {},
): Promise<number> {
  let query = db
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where(isAbout(matter))
    .where('state', '=', 'resolved')
  if (byPeopleUntil !== undefined)
    query = query.where((eb) =>
      eb.or([eb('state_by', 'is', null), eb('state_since', '<=', byPeopleUntil)]),
    )
  const { count } = await query.executeTakeFirstOrThrow()
  return Number(count)
}

/** Compare-and-swap: false if the alert is in none of the states `from`. */
export async function replaceAlertState(
  trx: Transaction,
  id: AlertId,
  from: readonly AlertState[],
  to: AlertState,
  { at, by }: { at: Instant; by: UserId },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('alerts')
    .set({ state: to, state_since: at, state_by: by })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Marks as read the newest open alerts within `reach` that were there `until`; a later one, or a later occurrence, stays open.
 *
 * @param limit of alerts in one statement
 * @returns their number, and whether there are more of them
 */
export async function markAlertsRead(
  trx: Transaction,
  reach: AlertReach,
  { until, limit, at, by }: { until: Instant; limit: number; at: Instant; by: UserId },
): Promise<{ count: number; hasMore: boolean }> {
  const open = await listAlerts(trx, { ...reach, states: ['open'], until, limit: limit + 1 })
  const seen = open.slice(0, limit).map(({ id }) => id)
  if (seen.length === 0) return { count: 0, hasMore: false }
  const { numUpdatedRows } = await trx
    .updateTable('alerts')
    .set({ state: 'read', state_since: at, state_by: by })
    .where('id', 'in', seen)
    .where('state', '=', 'open')
    .where('at', '<=', until)
    .executeTakeFirstOrThrow()
  return { count: Number(numUpdatedRows), hasMore: open.length > limit }
}

/** Resolves the open alerts of an occasion. @param seen `by`: null for a job */
export async function resolveAlertsOf(
  trx: Transaction,
  occasion: string,
  { at, by }: { at: Instant; by: UserId | null },
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ state: 'resolved', state_since: at, state_by: by })
    .where('occasion', '=', occasion)
    .where('state', '!=', 'resolved')
    .execute()
}

/** Resolves every alert whose occasion starts with `matter`. @param seen `by`: null for a job */
export async function resolveAlertsAbout(
  trx: Transaction,
  matter: string,
  { at, by }: { at: Instant; by: UserId | null },
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ state: 'resolved', state_since: at, state_by: by })
    .where(isAbout(matter))
    .where('state', '!=', 'resolved')
    .execute()
}

/** The highest code point, of which no occasion consists. */
const LAST = '\u{10ffff}'

/** Occasions that start with `matter`, as a range of their index. */
const isAbout = (matter: string) => (eb: ExpressionBuilder<Tables, 'alerts'>) =>
  eb.and([eb('occasion', '>=', matter), eb('occasion', '<', `${matter}${LAST}`)])

function toRow(alert: NewAlert): AlertRow {
  return {
    id: randomUUID(),
    office_id: alert.officeId,
    user_id: alert.userId,
    kind: alert.kind,
    severity: alert.severity,
    subject_kind: alert.subjectKind ?? 'nothing',
    subject_id: alert.subjectId ?? null,
    facts: JSON.stringify(alert.facts ?? {}),
    occasion: alert.occasion,
    at: alert.at,
    occurrences: 1,
    first_at: alert.at,
    mailed_at: null,
    state: 'open',
    state_since: alert.at,
    state_by: null,
  }
}

function toAlert(row: AlertRow): Alert {
  return Alert.parse({
    ...row,
    officeId: row.office_id,
    userId: row.user_id,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    facts: JSON.parse(row.facts),
    firstAt: row.first_at ?? row.at,
    stateSince: row.state_since,
    stateBy: row.state_by,
  })
}
