import { z } from 'zod'
import { line } from '#server/domain/identity/text.ts'
import { OfficeId, ServiceProviderId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { WebAddress } from '#server/domain/web-address.ts'

/** Gives timestamps (RFC 3161), or constancias of conservation (NOM-151-SCFI-2016). */
export const ProviderKind = z.enum(['timestamp', 'constancia'])
export type ProviderKind = z.infer<typeof ProviderKind>

/** Only an `active` provider is asked; a removed one is kept because the log refers to it. */
export const ProviderState = z.enum(['active', 'removed'])
export type ProviderState = z.infer<typeof ProviderState>

export const ProviderName = line(100)
/** As Basic authentication sends it: a colon would end it. @see RFC 7617, 2 */
export const ProviderUsername = line(200).refine((text) => !text.includes(':'), 'no colon')
export const ProviderPassword = z.string().min(1).max(200)

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/** Where it is asked; user and password are fields of their own. */
export const ProviderAddress = WebAddress

/** Whether a password may go there: over the network only under TLS. */
export function mayCarryPassword(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || LOOPBACK.test(hostname)
}

/** Dotted decimal. */
export const PolicyIdentifier = z
  .string()
  .trim()
  .max(100)
  .regex(/^[0-2](?:\.(?:0|[1-9]\d*))+$/)

/** The most that an office may have of each kind. */
export const MOST_PROVIDERS = 10

/** A service that an office asks, and how. */
export const ServiceProvider = z.object({
  id: ServiceProviderId,
  officeId: OfficeId,
  kind: ProviderKind,
  name: ProviderName,
  url: ProviderAddress,
  /** Of Basic authentication; null: it asks for none. */
  username: ProviderUsername.nullable(),
  /** Opens only at `placeOfProviderPassword`; null without authentication. */
  sealed: z
    .object({
      keyVersion: z.int().positive(),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    })
    .nullable(),
  /** Under which rules it must work; null: whichever are its own. */
  policy: PolicyIdentifier.nullable(),
  /** Counts from 1 among those of its kind that are active: the first that answers is taken. */
  position: z.int().positive(),
  state: ProviderState,
  stateSince: Instant,
  /** Null: the demo. */
  stateBy: UserId.nullable(),
})
export type ServiceProvider = z.infer<typeof ServiceProvider>

/** Where the password lies: in another row, or for another address, it does not open. */
export const placeOfProviderPassword = ({ id, url }: Pick<ServiceProvider, 'id' | 'url'>) =>
  `service_providers.sealed_password:${id}:${url}`
