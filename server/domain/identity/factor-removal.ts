import { z } from 'zod'
import { FactorRemovalId, OfficeId, UserId } from '#server/domain/ids.ts'
import { days, Instant } from '#server/domain/time.ts'
import { line, Shown } from './text.ts'

/** Time for the second administrator to decide; then a new request is needed. */
export const REMOVAL_LIFETIME = days(3)

/** The recorded reason of an administrator's intervention. */
export const Reason = line(300).pipe(z.string().min(10))
export type Reason = z.infer<typeof Reason>

/** Removes the lost second factors of a user: one administrator requests it, another one approves. */
export const FactorRemoval = z.object({
  id: FactorRemovalId,
  officeId: OfficeId,
  /** The user who lost the factors. */
  userId: UserId,
  reason: Shown,
  askedAt: Instant,
  askedBy: UserId,
  expiresAt: Instant,
  state: z.enum(['open', 'approved', 'refused']),
  stateSince: Instant,
  stateBy: UserId.nullable(),
})
export type FactorRemoval = z.infer<typeof FactorRemoval>
