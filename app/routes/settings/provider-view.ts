import { formatInstant } from '#server/domain/time.ts'
import { ProviderKind } from '#server/domain/timestamp/service-provider.ts'
import type { ListedProvider } from '#server/features/offices/list-providers.ts'
import { providerKinds } from './provider-words.ts'

export type ProviderView = ReturnType<typeof providerView>

/** A provider in es-MX, in the office's time zone. */
export function providerView(
  provider: ListedProvider,
  all: readonly ListedProvider[],
  zone: string,
) {
  const { id, kind, name, url, username, policy, stateSince, cost } = provider
  const ranked = all.filter((other) => other.kind === kind)
  const rank = ranked.findIndex((other) => other.id === id) + 1
  return {
    id,
    name,
    url,
    policy,
    kind: providerKinds[kind],
    /** In pesos, as it is typed; undefined for a provider of other things. */
    cost: kind === 'constancia' ? (cost === null ? '' : (cost / 100).toFixed(2)) : undefined,
    login: username === null ? 'Sin usuario' : `Usuario ${username}, con contraseña`,
    rank: rankOf(rank),
    canMoveEarlier: rank > 1,
    canMoveLater: rank < ranked.length,
    since: formatInstant(stateSince, zone),
  }
}

const rankOf = (rank: number) =>
  rank === 1 ? 'Se le pide primero' : `Se le pide si no responden los anteriores (lugar ${rank})`

/** Groups the providers by kind; kinds without a provider are included. */
export function providersByKind(all: readonly ListedProvider[], zone: string) {
  return ProviderKind.options.map((kind) => ({
    kind: providerKinds[kind],
    providers: all
      .filter((one) => one.kind === kind)
      .map((one) => providerView(one, all, zone))
      // Users who do not manage the office do not get the user name.
      .map(({ id, name, url, rank }) => ({ id, name, url, rank })),
  }))
}
