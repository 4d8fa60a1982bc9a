import type { ProviderKind } from '#server/domain/timestamp/service-provider.ts'

/** Kinds of provider, es-MX. */
export const providerKinds: Record<ProviderKind, string> = {
  timestamp: 'Sellos de tiempo (RFC 3161)',
  constancia: 'Constancias de conservación (NOM-151)',
}
