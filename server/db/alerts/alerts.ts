import { randomUUID } from 'node:crypto'
import { isAfterCursor } from '#server/db/after-cursor.ts'
import type { AlertRow } from '#server/db/tables/log.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
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
  /** Unique, one of `occasions` or of `matters` with a number: a second alert for it is not inserted. */
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

/** Alerts of this user; with `office`, also those for the administrators. */
export type AlertReach = { officeId: OfficeId; userId: UserId; office: 'included' | 'left-out' }

export type AlertFilter = AlertReach & {
  states: readonly AlertState[]
  behind?: PageCursor<AlertId> | undefined
  limit: number
}

/** Newest first. */
export async function listAlerts(db: Reader, filter: AlertFilter): Promise<Alert[]> {
  const { behind } = filter
  let query = reached(db, filter).selectAll().where('state', 'in', filter.states)
  if (behind) query = query.where(isAfterCursor(behind, 'at'))
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute()
  return rows.map(toAlert)
}

/** Counts the alerts in each state; empty states are absent. */
export async function countAlerts(
  db: Reader,
  reach: AlertReach,
): Promise<Partial<Record<AlertState, number>>> {
  const rows = await reached(db, reach)
    .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** One alert within `reach`. */
export async function findAlert(
  db: Reader,
  reach: AlertReach,
  id: AlertId,
): Promise<Alert | undefined> {
  const row = await reached(db, reach).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAlert(row)
}

/** Counts the resolved alerts of a matter. `matter` is the prefix of their occasions. */
export async function countResolvedAlerts(db: Reader, matter: string): Promise<number> {
  const { count } = await db
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('occasion', 'like', `${matter}%`)
    .where('state', '=', 'resolved')
    .executeTakeFirstOrThrow()
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

/** Resolves the open alerts of an occasion. */
export async function resolveAlertsOf(
  trx: Transaction,
  occasion: string,
  { at, by }: { at: Instant; by: UserId },
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
    .where('occasion', 'like', `${matter}%`)
    .where('state', '!=', 'resolved')
    .execute()
}

function reached(db: Reader, { officeId, userId, office }: AlertReach) {
  return db
    .selectFrom('alerts')
    .where('office_id', '=', officeId)
    .where((eb) =>
      office === 'included'
        ? eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)])
        : eb('user_id', '=', userId),
    )
}

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
    stateSince: row.state_since,
    stateBy: row.state_by,
  })
}
