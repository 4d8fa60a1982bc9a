import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { findLastIssuedBy } from '#server/db/trust/constancias.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { OfficeId, ServiceProviderId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { raiseAlert } from './raise-alert.ts'

/**
 * Raises the alert that a provider is down, once per outage: the last constancia that it issued identifies the outage,
 * because it issues another one when it is back.
 */
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
    occasion: `${matters.providerDown(id)}${(await findLastIssuedBy(trx, id)) ?? 'first'}`,
    at,
  })
}

/**
 * Resolves the alerts of a provider that answers again or was removed.
 *
 * @param seen `by`: null for a job
 */
export async function resolveProviderAlarms(
  trx: Transaction,
  id: ServiceProviderId,
  seen: { at: Instant; by: UserId | null },
): Promise<void> {
  await resolveAlertsAbout(trx, matters.providerDown(id), seen)
}
