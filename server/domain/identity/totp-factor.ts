import { z } from 'zod'
import { TotpFactorId, UserId } from '#server/domain/ids.ts'
import { after, Instant, minutes, seconds } from '#server/domain/time.ts'

/** Lifetime of an unconfirmed secret. */
const PENDING_LIFETIME = minutes(60)

/** Only `active` is accepted; a user has at most one `active` and one `pending`. */
const TotpFactorState = z.enum(['pending', 'active', 'replaced', 'disabled', 'removed'])

/** An authenticator app: the shared secret, and the memory of its codes. */
export const TotpFactor = z.object({
  id: TotpFactorId,
  userId: UserId,
  /** Unsealed only at `placeOfTotpSecret`. */
  sealed: z.object({
    keyVersion: z.int().positive(),
    bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  }),
  memory: z.object({
    lastStep: z.int().nonnegative(),
    /** In whole seconds. */
    drift: z.int().transform((value) => seconds(Math.trunc(value / 1000))),
  }),
  createdAt: Instant,
  state: TotpFactorState,
  stateSince: Instant,
  stateBy: UserId.nullable(),
})
export type TotpFactor = z.infer<typeof TotpFactor>

/** The vault's place name for the secret: it cannot be unsealed in another row or for another user. */
export function placeOfTotpSecret({ id, userId }: Pick<TotpFactor, 'id' | 'userId'>): string {
  return `totp_factors.sealed_secret:${id}:${userId}`
}

/** Whether a pending app may still be confirmed. */
export function isConfirmable({ state, createdAt }: TotpFactor, now: Instant): boolean {
  return state === 'pending' && now < after(createdAt, PENDING_LIFETIME)
}
