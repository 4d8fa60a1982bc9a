import type { ConstanciaPolicy, TimestampPolicy } from '#server/domain/identity/office.ts'
import type { ProviderKind } from '#server/domain/timestamp/service-provider.ts'

/** Kinds of provider, es-MX. */
export const providerKinds: Record<ProviderKind, string> = {
  timestamp: 'Sellos de tiempo (RFC 3161)',
  constancia: 'Constancias de conservación (NOM-151)',
}

/** What happens to a signature if no timestamp is available, es-MX. */
export const timestampPolicies: Record<TimestampPolicy, string> = {
  required: 'Sin sello de tiempo no se firma: la firma se rechaza y no se guarda nada',
  later: 'Se firma, y el sello de tiempo se agrega después',
  none: 'Se firma sin sello de tiempo',
}

/** When a constancia is requested, es-MX. */
export const constanciaPolicies: Record<ConstanciaPolicy, string> = {
  none: 'Solo cuando alguien la solicita en el documento',
  'at-completion': 'De cada documento, en cuanto todos firmaron',
}
