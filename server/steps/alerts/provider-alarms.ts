import type { Transaction } from '#server/db/transaction.ts'
import { countIssuedBy } from '#server/db/trust/constancias.ts'
import type { OfficeId, ServiceProviderId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

const beginningOf = (id: ServiceProviderId) => `provider-down:${id}:`

/** Once an outage: the number of constancias that the provider gave grows when it is back. */
export async function raiseProviderAlarm(
  trx: Transaction,
  { id, name }: ServiceProvider,
  { officeId, attempts, at }: { officeId: OfficeId; attempts: number; at: Instant },
): Promise<void> {
  await raiseAlert(trx, {
    officeId,
    userId: null,
    kind: 'provider-down',
    severity: 'warning',
    facts: { provider: name, attempts },
    occasion: `${beginningOf(id)}${await countIssuedBy(trx, id)}`,
    at,
  })
}

/** It gave a constancia again, or nobody asks it any more: its alarms wait for nobody. `by` is null for the clock. */
export async function resolveProviderAlarms(
  trx: Transaction,
  id: ServiceProviderId,
  { at, by }: { at: Instant; by: UserId | null },
): Promise<void> {
  await trx
    .updateTable('alerts')
    .set({ state: 'resolved', state_since: at, state_by: by })
    .where('occasion', 'like', `${beginningOf(id)}%`)
    .where('state', '!=', 'resolved')
    .execute()
}
