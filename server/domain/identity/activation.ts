import { z } from 'zod'
import { ActivationId, UserId } from '#server/domain/ids.ts'
import { hours, Instant } from '#server/domain/time.ts'

/** Lifetime of an unused link. */
export const ACTIVATION_LIFETIME = hours(24)

export const ActivationPurpose = z.enum([
  /** The first sign-in of an invited user. */
  'activation',
  /** The user forgot the password; second factors stay. */
  'recovery',
  /** The first administrator of an installation without an office. */
  'installation',
])
export type ActivationPurpose = z.infer<typeof ActivationPurpose>

/** A one-time link with which a user chooses a password; no administrator ever knows the password. */
export const Activation = z.object({
  id: ActivationId,
  /** Null for an installation, which has no users yet. */
  userId: UserId.nullable(),
  purpose: ActivationPurpose,
  createdAt: Instant,
  /** Null for the system. */
  createdBy: UserId.nullable(),
  expiresAt: Instant,
  /** `ended`: replaced by another link. */
  state: z.enum(['open', 'used', 'ended']),
  stateSince: Instant,
})
export type Activation = z.infer<typeof Activation>
