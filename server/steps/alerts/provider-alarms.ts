import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  clearProviderFailures,
  countProviderFailure,
  listProviderFailures,
} from '#server/db/trust/provider-failures.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { ServiceProviderId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  FAILURES_BEFORE_ALARM,
  isAnotherFailure,
} from '#server/domain/timestamp/provider-failures.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import type { System } from '#server/system.ts'
import { raiseAlert } from './raise-alert.ts'

/**
 * Counts a request that a provider did not fulfil, and raises the alert that it is down after three in a row, once per
 * outage: its first failure identifies it.
 */
export async function noteProviderFailure(
  trx: Transaction,
  { id, officeId, name }: Pick<ServiceProvider, 'id' | 'officeId' | 'name'>,
  at: Instant,
): Promise<void> {
  const failures = await countProviderFailure(trx, id, at)
  if (!failures || failures.count < FAILURES_BEFORE_ALARM) return
  await raiseAlert(trx, {
    officeId,
    userId: null,
    kind: 'provider-down',
    severity: 'warning',
    facts: { provider: name, attempts: failures.count },
    occasion: `${matters.providerDown(id)}${failures.since}`,
    at,
  })
}

/**
 * Notes which of the providers that were asked failed, and which one answered. Never call it inside a transaction: it has one
 * for each provider, so that none of its locks waits for another one.
 */
export async function noteProviderAnswers(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  asked: readonly ServiceProvider[],
  { failed, answered }: { failed: ReadonlySet<string>; answered?: string },
): Promise<void> {
  const ids = asked.map(({ id }) => id)
  const known = new Map(
    (await listProviderFailures(db, ids)).map((failures) => [failures.providerId, failures]),
  )
  const at = clock.now()
  for (const provider of asked) {
    const { id } = provider
    const last = known.get(id)
    if (failed.has(id) && isAnotherFailure(last, at))
      await db.transaction((trx) => noteProviderFailure(trx, provider, at))
    if (id === answered && last)
      await db.transaction((trx) => endProviderOutage(trx, id, { at, by: null }))
  }
}

/**
 * Ends the outage of a provider that answers again or was removed, and resolves its alerts.
 *
 * @param seen `by`: null for a job
 */
export async function endProviderOutage(
  trx: Transaction,
  id: ServiceProviderId,
  seen: { at: Instant; by: UserId | null },
): Promise<void> {
  await clearProviderFailures(trx, id)
  await resolveAlertsAbout(trx, matters.providerDown(id), seen)
}
