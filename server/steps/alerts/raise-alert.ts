import {
  insertAlert,
  type NewAlert,
  noteMailedAlert,
  repeatAlert,
  wasMailedSince,
} from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { ALERT_MAIL_PAUSE, REPEATING } from '#server/domain/alerts/alert.ts'
import { before } from '#server/domain/time.ts'
import { mailAlert } from './mail-alert.ts'

/**
 * Raises an alert in the transaction of the event that it reports, and queues its mail. If this occasion already has
 * an alert, no mail is queued, unless the kind repeats: then the alert counts it, and a mail is queued if the last
 * one of its kind is an hour old.
 *
 * @returns false if this occasion already has an alert
 */
export async function raiseAlert(trx: Transaction, alert: NewAlert): Promise<boolean> {
  const isNew = await insertAlert(trx, alert)
  if (!REPEATING.has(alert.kind)) {
    if (isNew) await mailAlert(trx, alert)
    return isNew
  }
  if (!isNew) await repeatAlert(trx, alert)
  if (!(await wasMailedSince(trx, alert, before(alert.at, ALERT_MAIL_PAUSE)))) {
    await mailAlert(trx, alert)
    await noteMailedAlert(trx, alert)
  }
  return isNew
}
