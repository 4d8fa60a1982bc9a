import { z } from 'zod'
import { endRejectionCode } from '#server/db/signing-sessions/rejection-codes.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { REJECTION_CODES } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import {
  hashOfRejectionCode,
  RejectionCode,
} from '#server/domain/signing/session/rejection-code.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import type { System } from '#server/system.ts'
import { commitRejection, type RejectedSession } from './commit-rejection.ts'
import { findRejectingGuest } from './find-rejecting-guest.ts'
import { recordUnproven } from './record-unproven.ts'

export const RejectWithCode = z.object({ reason: Reason, code: RejectionCode })
export type RejectWithCode = z.infer<typeof RejectWithCode>

/** `wrong-code`: it is another one, expired, or used. */
export type RejectedWithCode = RejectedSession | { kind: 'wrong-code' }

/**
 * Rejects the session as an external signer who has the code that was mailed to them. The attempt is counted before the code is
 * compared.
 *
 * @throws {Problem} `signing-link-over`, `consent-needed`, `session-state`; `too-many-attempts` after five codes
 */
export async function rejectWithCode(
  system: System,
  actor: Actor,
  { reason, code }: RejectWithCode,
): Promise<RejectedWithCode> {
  const { db, clock } = system
  const at = clock.now()
  const { guest } = await findRejectingGuest(db, actor)
  const { linkId, signingSessionId } = guest
  const limit = { key: throttleKeys.rejectionCode(linkId), policy: REJECTION_CODES }
  const spent = await consumeLimitedAttempt(db, [limit], at)
  if (!spent.allowed) throw tooManyAttempts(spent, 'codes to reject')
  const rejection = { signingSessionId, reason, actor: guest, at, proof: 'mail-code' } as const
  const hash = hashOfRejectionCode(linkId, code)
  try {
    return await commitRejection(system, rejection, async (trx) => {
      if (!(await endRejectionCode(trx, linkId, hash, at))) throw new WrongCode()
    })
  } catch (error) {
    if (!(error instanceof WrongCode)) throw error
    await recordUnproven(db, guest, { proof: 'mail-code', code: 'wrong-code', at })
    return { kind: 'wrong-code' }
  }
}

/** Rolls the transaction back. */
class WrongCode extends Error {
  override readonly name = 'WrongCode'
}
