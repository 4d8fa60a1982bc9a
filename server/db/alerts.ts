import { randomUUID } from 'node:crypto'
import { Alert, type AlertKind, type AlertSeverity } from '#server/domain/alerts/alert.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { AlertRow } from './tables.ts'
import type { Transaction } from './transaction.ts'

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

/** Raises an alert in the same transaction as what it tells of. False when this occasion has one already. */
export async function insertAlert(trx: Transaction, warning: Warning): Promise<boolean> {
  const inserted = await trx
    .insertInto('alerts')
    .values(toRow(warning))
    .onConflict((conflict) => conflict.column('occasion').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
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

export function toAlert(row: AlertRow): Alert {
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
