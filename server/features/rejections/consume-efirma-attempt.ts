import type { Database } from '#server/db/database.ts'
import type { Guest } from '#server/domain/identity/actor.ts'
import { REJECTION_EFIRMAS } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'

/**
 * Counts an attempt to reject with an e.firma, before anything of it is read. Those in the page and those on the server share
 * one budget of the link.
 *
 * @throws {Problem} `too-many-attempts` after ten
 */
export async function consumeEfirmaAttempt(
  db: Database,
  { linkId }: Guest,
  at: Instant,
): Promise<void> {
  const limit = { key: throttleKeys.rejectionEfirma(linkId), policy: REJECTION_EFIRMAS }
  const spent = await consumeLimitedAttempt(db, [limit], at)
  if (!spent.allowed) throw tooManyAttempts(spent, 'e.firmas to reject')
}
