import { ProviderKind } from '#server/domain/timestamp/service-provider.ts'
import type { ListedAuthority } from '#server/features/offices/list-authorities.ts'
import type { ListedProvider } from '#server/features/offices/list-providers.ts'

/** `3 de confianza, 1 sin aceptar`. Removed ones are left out. */
export function authoritySummary(authorities: readonly Pick<ListedAuthority, 'state'>[]): string {
  const offered = authorities.filter(({ state }) => state === 'offered').length
  const removed = authorities.filter(({ state }) => state === 'removed').length
  const trusted = authorities.length - offered - removed
  const waiting = offered > 0 ? `, ${offered} sin aceptar` : ''
  return trusted > 0
    ? `${trusted} de confianza${waiting}`
    : `Ninguna de confianza${waiting}: ninguna verificación puede resultar favorable.`
}

/** `Sellos de tiempo: TSA del Sureste y 1 más. Constancias: ninguno.` The first of each kind is asked first. */
export function providerSummary(providers: readonly Pick<ListedProvider, 'kind' | 'name'>[]) {
  return ProviderKind.options
    .map((kind) => {
      const [first, ...others] = providers.filter((one) => one.kind === kind)
      const more = others.length > 0 ? ` y ${others.length} más` : ''
      return `${KINDS[kind]}: ${first ? first.name + more : 'ninguno'}.`
    })
    .join(' ')
}

const KINDS: Record<ProviderKind, string> = {
  timestamp: 'Sellos de tiempo',
  constancia: 'Constancias',
}
