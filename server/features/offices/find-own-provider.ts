import type { Reader } from '#server/db/transaction.ts'
import { findServiceProvider } from '#server/db/trust/service-providers.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { ServiceProviderId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'

/** An active provider of the person's office. @throws {Problem} `not-found` for any other */
export async function findOwnProvider(
  db: Reader,
  { officeId }: Person,
  id: ServiceProviderId,
): Promise<ServiceProvider> {
  const provider = await findServiceProvider(db, id)
  if (provider?.officeId !== officeId || provider.state !== 'active')
    throw new Problem('not-found', `no provider ${id} is asked`)
  return provider
}
