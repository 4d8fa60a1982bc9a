import { randomUUID } from 'node:crypto'
import {
  Alert,
  type AlertKind,
  type AlertSeverity,
  type AlertState,
} from '#server/domain/alerts/alert.ts'
import type { AlertId, OfficeId, UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import type { Instant } from '#server/domain/time.ts'
import { insertAlertMail } from './alert-mail.ts'
import { isBehind } from './behind-cursor.ts'
import type { AlertRow } from './tables/log.ts'
import type { Reader, Transaction } from './transaction.ts'

/** What a use case warns of. */
export type Warning = {
  officeId: OfficeId
  /** For whom; null for the administrators of the office. */
  userId: UserId | null
  kind: AlertKind
  severity: AlertSeverity
  subjectKind?: Alert['subjectKind']
  subjectId?: string
  facts?: Alert['facts']
  /** What it is about, once: `new-device:` and the id of the session. */
  occasion: string
  at: Instant
}

/**
 * Raises an alert in the same transaction as what it tells of, and writes to whom it concerns. False when this
 * occasion has one already.
 */
export async function insertAlert(trx: Transaction, warning: Warning): Promise<boolean> {
  const inserted = await trx
    .insertInto('alerts')
    .values(toRow(warning))
    .onConflict((conflict) => conflict.column('occasion').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return false
  await insertAlertMail(trx, warning)
  return true
}

/** Whose alerts: their own, and with `office` those for the administrators. */
export type AlertReach = { officeId: OfficeId; userId: UserId; office: 'included' | 'left-out' }

export type AlertFilter = AlertReach & {
  states: readonly AlertState[]
  behind?: PageCursor<AlertId> | undefined
  limit: number
}

/** The newest first. */
export async function listAlerts(db: Reader, filter: AlertFilter): Promise<Alert[]> {
  const { behind } = filter
  let query = reached(db, filter).selectAll().where('state', 'in', filter.states)
  if (behind) query = query.where(isBehind(behind, 'at'))
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute()
  return rows.map(toAlert)
}

/** How many stand in each state; states without any are absent. */
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

/** One of those within reach. */
export async function findAlert(
  db: Reader,
  reach: AlertReach,
  id: AlertId,
): Promise<Alert | undefined> {
  const row = await reached(db, reach).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAlert(row)
}

/** How many that were about this have been seen to. `matter` is how their occasions begin. */
export async function countResolvedAlerts(db: Reader, matter: string): Promise<number> {
  const { count } = await db
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('occasion', 'like', `${matter}%`)
    .where('state', '=', 'resolved')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Compare-and-swap: false when it was in none of the states `from`. */
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

/** What the alert was about has been seen to: it waits for nobody any more. */
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

function toRow(warning: Warning): AlertRow {
  return {
    id: randomUUID(),
    office_id: warning.officeId,
    user_id: warning.userId,
    kind: warning.kind,
    severity: warning.severity,
    subject_kind: warning.subjectKind ?? 'nothing',
    subject_id: warning.subjectId ?? null,
    facts: JSON.stringify(warning.facts ?? {}),
    occasion: warning.occasion,
    at: warning.at,
    state: 'open',
    state_since: warning.at,
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
