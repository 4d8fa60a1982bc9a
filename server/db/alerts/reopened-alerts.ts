import type { Transaction } from '#server/db/transaction.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import type { AlertId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Compare-and-swap: false unless the alert is resolved, since that time and by that user. */
export async function replaceResolution(
  trx: Transaction,
  id: AlertId,
  resolved: { at: Instant; by: UserId },
  next: Pick<Alert, 'state' | 'stateSince' | 'stateBy'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('alerts')
    .set({ state: next.state, state_since: next.stateSince, state_by: next.stateBy })
    .where('id', '=', id)
    .where('state', '=', 'resolved')
    .where('state_since', '=', resolved.at)
    .where('state_by', '=', resolved.by)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
