import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { replaceServiceProvider } from '#server/db/trust/service-providers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ServiceProviderId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { endProviderOutage } from '#server/steps/alerts/provider-alarms.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { findOwnProvider } from './find-own-provider.ts'

export type RemoveProvider = { providerId: ServiceProviderId }

/**
 * Removes a provider and its password. Its answers stay valid; its outage alerts are resolved.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`
 */
export async function removeProvider(
  system: System,
  actor: Actor,
  { providerId }: RemoveProvider,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const subject = { kind: 'provider', id: providerId } as const
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at, subject)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const provider = await findOwnProvider(trx, person, providerId)
    await replaceServiceProvider(trx, {
      ...provider,
      username: null,
      sealed: null,
      state: 'removed',
      stateSince: at,
      stateBy: person.userId,
    })
    await endProviderOutage(trx, provider.id, { at, by: person.userId })
    const { kind, name, url } = provider
    await appendEvent(trx, {
      actor,
      at,
      action: 'provider.removed',
      subject,
      details: { kind, name, url },
    })
  })
}
