import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { consumeEfirmaAttempt } from './consume-efirma-attempt.ts'
import { findRejectingGuest } from './find-rejecting-guest.ts'
import { type RejectedWithEfirma, rejectWithStatement } from './reject-with-statement.ts'

/** See `SignedStatement`. */
export const RejectWithEfirma = z.object({
  reason: Reason,
  at: z.coerce.number().pipe(Instant),
  certificate: z.instanceof(Uint8Array<ArrayBufferLike>),
  signature: z.instanceof(Uint8Array<ArrayBufferLike>),
})
export type RejectWithEfirma = z.infer<typeof RejectWithEfirma>

/**
 * Rejects the session as an external signer whose e.firma signed the statement of rejection in the page.
 *
 * @throws {Problem} `signing-link-over`, `consent-needed`, `session-state`; `too-many-attempts` after ten; see
 *   `rejectWithStatement`
 */
export async function rejectWithEfirma(
  system: System,
  actor: Actor,
  input: RejectWithEfirma,
): Promise<RejectedWithEfirma> {
  const { db, clock } = system
  const found = await findRejectingGuest(db, actor)
  await consumeEfirmaAttempt(db, found.guest, clock.now())
  return await rejectWithStatement(system, found, input)
}
