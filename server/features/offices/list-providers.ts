import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A provider for display: shows only whether it has a password. */
export type ListedProvider = Omit<ServiceProvider, 'sealed'> & { hasPassword: boolean }

/**
 * The office's providers of timestamps and constancias, in the order in which they are asked.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listProviders(system: System, actor: Actor): Promise<ListedProvider[]> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  const providers = await listServiceProviders(db, officeId)
  return providers.map(({ sealed, ...shown }) => ({ ...shown, hasPassword: sealed !== null }))
}
