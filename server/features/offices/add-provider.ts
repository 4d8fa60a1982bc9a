import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { insertServiceProvider, listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import { addressIn } from '#server/domain/outgoing-networks.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  MOST_PROVIDERS,
  PolicyIdentifier,
  ProviderAddress,
  ProviderKind,
  ProviderName,
  ProviderPassword,
  ProviderUsername,
  placeOfProviderPassword,
  type ServiceProvider,
} from '#server/domain/timestamp/service-provider.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const AddProvider = z.strictObject({
  kind: ProviderKind,
  name: ProviderName,
  url: ProviderAddress,
  /** Null if the service requires none. */
  login: z.strictObject({ username: ProviderUsername, password: ProviderPassword }).nullable(),
  policy: PolicyIdentifier.nullable(),
})
export type AddProvider = z.infer<typeof AddProvider>

/**
 * Adds a provider, to be asked after the existing ones of its kind.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `provider-refused` for an
 *   address that exists already, and above the limit; `provider-network` for one in a private network
 */
export async function addProvider(
  system: System,
  actor: Actor,
  { kind, name, url, login, policy }: AddProvider,
): Promise<ServiceProviderId> {
  const { db, clock, vault } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  mustBeReachable(system, url)
  const id = ServiceProviderId.parse(randomUUID())
  const password = login && new TextEncoder().encode(login.password)
  const added = {
    id,
    officeId: person.officeId,
    kind,
    name,
    url,
    username: login?.username ?? null,
    sealed: password && vault.seal(password, placeOfProviderPassword({ id, url })),
    policy,
    state: 'active',
    stateSince: at,
    stateBy: person.userId,
    cost: null,
  } as const
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const others = await listServiceProviders(trx, person.officeId, kind)
    mustFit(added, others)
    const position = (others.at(-1)?.position ?? 0) + 1
    await insertServiceProvider(trx, { ...added, position })
    await appendEvent(trx, {
      actor,
      at,
      action: 'provider.added',
      subject: { kind: 'provider', id },
      details: { kind, name, url, username: added.username, policy, position },
    })
  })
  return id
}

/** A name may still lead into a private network; then the connection is refused. */
function mustBeReachable({ settings }: Pick<System, 'settings'>, url: string) {
  const { hostname } = new URL(url)
  const address = addressIn(hostname)
  if (address && !settings.networks(address, hostname))
    throw new Problem('provider-network', `${address} is in no network of services`)
}

function mustFit({ url, kind }: Pick<ServiceProvider, 'url' | 'kind'>, others: ServiceProvider[]) {
  if (others.length >= MOST_PROVIDERS)
    throw new Problem('provider-refused', `${others.length} of ${kind} are there`)
  if (others.some((other) => other.url === url))
    throw new Problem('provider-refused', `${url} is asked already`)
}
