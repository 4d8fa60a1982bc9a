import { insertAlert, type NewAlert } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { mailAlert } from './mail-alert.ts'

/**
 * Raises an alert in the transaction of the event that it reports, and queues its mail.
 *
 * @returns false if this occasion already has an alert; then no mail is queued
 */
export async function raiseAlert(trx: Transaction, alert: NewAlert): Promise<boolean> {
  if (!(await insertAlert(trx, alert))) return false
  await mailAlert(trx, alert)
  return true
}
