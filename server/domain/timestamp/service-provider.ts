import { z } from 'zod'
import { line } from '#server/domain/identity/text.ts'
import { OfficeId, ServiceProviderId, UserId } from '#server/domain/ids.ts'
import { isThisMachine } from '#server/domain/outgoing-networks.ts'
import { Instant } from '#server/domain/time.ts'
import { WebAddress } from '#server/domain/web-address.ts'

/** Timestamps (RFC 3161), or constancias de conservación (NOM-151-SCFI-2016). */
export const ProviderKind = z.enum(['timestamp', 'constancia'])
export type ProviderKind = z.infer<typeof ProviderKind>

/** Only an `active` provider is asked; a removed one is kept because the log refers to it. */
const ProviderState = z.enum(['active', 'removed'])

export const ProviderName = line(100)
/** No colon, which would end it in Basic authentication. @see RFC 7617, 2 */
export const ProviderUsername = line(200).refine((text) => !text.includes(':'), 'no colon')
export const ProviderPassword = z.string().min(1).max(200)

function isPrivateOnTheWire(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isThisMachine(hostname)
}

/** The address of the service; user and password are separate fields. Over the network only with TLS. */
export const ProviderAddress = WebAddress.refine(isPrivateOnTheWire, 'https or this machine')

/** Dotted decimal. */
export const PolicyIdentifier = z
  .string()
  .trim()
  .max(100)
  .regex(/^[0-2](?:\.(?:0|[1-9]\d*))+$/)

/** In centavos of a peso. */
export const Cost = z.int().nonnegative().max(10_000_000)

/** Most providers per kind and office. */
export const MOST_PROVIDERS = 10

/** A service that an office uses, and its settings. */
export const ServiceProvider = z.object({
  id: ServiceProviderId,
  officeId: OfficeId,
  kind: ProviderKind,
  name: ProviderName,
  /** Those of earlier releases may be of any protocol. */
  url: WebAddress,
  /** For Basic authentication; null without authentication. */
  username: ProviderUsername.nullable(),
  /** Unsealed only at `placeOfProviderPassword`; null without authentication. */
  sealed: z
    .object({
      keyVersion: z.int().positive(),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    })
    .nullable(),
  /** The required policy; null for any. */
  policy: PolicyIdentifier.nullable(),
  /** Counts from 1 among active providers of its kind; they are asked in this order. */
  position: z.int().positive(),
  state: ProviderState,
  stateSince: Instant,
  /** Null for the demo. */
  stateBy: UserId.nullable(),
  /** What each constancia costs; null if the office has not said it. */
  cost: Cost.nullable(),
})
export type ServiceProvider = z.infer<typeof ServiceProvider>

/** The vault's place name for the password: it cannot be unsealed for another row or address. */
export const placeOfProviderPassword = ({ id, url }: Pick<ServiceProvider, 'id' | 'url'>) =>
  `service_providers.sealed_password:${id}:${url}`
