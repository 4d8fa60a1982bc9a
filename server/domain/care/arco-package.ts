import { z } from 'zod'
import { ArcoRequestId, OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import { days, Instant } from '#server/domain/time.ts'

/** What is held about a person, as an archive that a job makes. */
export const ArcoPackage = z.object({
  requestId: ArcoRequestId,
  officeId: OfficeId,
  state: z.enum(['waiting', 'ready', 'failed', 'expired']),
  stateSince: Instant,
  askedBy: UserId,
  /** While it waits: when the job takes it; a lease of the process that makes it. */
  dueAt: Instant,
  /** Failures. */
  attempts: z.int().nonnegative(),
  file: z
    .object({ name: z.string(), sha256: Sha256, bytes: z.int(), expiresAt: Instant })
    .nullable(),
})
export type ArcoPackage = z.infer<typeof ArcoPackage>

/** How long its file waits: it holds personal data in the clear for its reader. */
export const PACKAGE_LIFETIME = days(7)

/** Failures until it is given up. */
export const MOST_PACKAGE_ATTEMPTS = 5
