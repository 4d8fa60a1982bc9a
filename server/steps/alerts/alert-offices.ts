import type { NewAlert } from '#server/db/alerts/alerts.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { raiseAlert } from './raise-alert.ts'

type AlertOfAll = Pick<NewAlert, 'kind' | 'severity' | 'facts' | 'at'>

/**
 * Alerts the administrators of each office of the installation.
 *
 * @param occasionOf the occasion of the alert of one office
 * @param only this office, if given
 * @returns false if each office already has an alert for its occasion
 */
export async function alertOffices(
  trx: Transaction,
  alert: AlertOfAll,
  occasionOf: (officeId: OfficeId) => string | Promise<string>,
  only: OfficeId | null = null,
): Promise<boolean> {
  let isNew = false
  const offices = only ? [{ id: only }] : await listOffices(trx)
  for (const { id: officeId } of offices) {
    const occasion = await occasionOf(officeId)
    if (await raiseAlert(trx, { ...alert, officeId, userId: null, occasion })) isNew = true
  }
  return isNew
}
