import { z } from 'zod'
import { TotpFactorId, UserId } from '#server/domain/ids.ts'
import { after, Instant, minutes, seconds } from '#server/domain/time.ts'

/** A secret that was shown and not yet confirmed by a code is good for so long. */
const PENDING_LIFETIME = minutes(60)

/** Only `active` opens anything; a person has at most one, and at most one that is `pending`. */
const TotpFactorState = z.enum(['pending', 'active', 'replaced', 'disabled', 'removed'])

/** An authenticator app: the secret that it shares with us, and what is remembered of its codes. */
export const TotpFactor = z.object({
  id: TotpFactorId,
  userId: UserId,
  /** Opens only at `placeOfTotpSecret`. */
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

/** Where the secret lies: moved to another row or given to another person, it does not open. */
export function placeOfTotpSecret({ id, userId }: Pick<TotpFactor, 'id' | 'userId'>): string {
  return `totp_factors.sealed_secret:${id}:${userId}`
}

/** Whether a pending one may still be confirmed. */
export function isConfirmable({ state, createdAt }: TotpFactor, now: Instant): boolean {
  return state === 'pending' && now < after(createdAt, PENDING_LIFETIME)
}
