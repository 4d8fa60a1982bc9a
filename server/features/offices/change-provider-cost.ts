import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { replaceServiceProvider } from '#server/db/trust/service-providers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ServiceProviderId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { findOwnProvider } from './find-own-provider.ts'

export type ChangeProviderCost = {
  providerId: ServiceProviderId
  /** In centavos; null if it is not known any more. */
  cost: ServiceProvider['cost']
}

/**
 * Changes what each constancia of the provider costs, for those that are issued from now on.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`, also for a provider of timestamps
 */
export async function changeProviderCost(
  { db, clock }: System,
  actor: Actor,
  { providerId, cost }: ChangeProviderCost,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const subject = { kind: 'provider', id: providerId } as const
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at, subject)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const provider = await findOwnProvider(trx, person, providerId)
    if (provider.kind !== 'constancia') throw new Problem('not-found', `${providerId} has no cost`)
    if (provider.cost === cost) return
    await replaceServiceProvider(trx, { ...provider, cost })
    await appendEvent(trx, {
      ...{ actor, at, action: 'provider.cost-changed', subject },
      details: { name: provider.name, cost, from: provider.cost },
    })
  })
}
