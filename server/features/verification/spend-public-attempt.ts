import { spendAttempt } from '#server/db/login-attempts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { networkOf } from '#server/domain/identity/network.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

const WINDOW = minutes(10)
/** A registry or a bank stands behind one address; who tries codes needs many more than this. */
const MOST = { code: 60, file: 60 }

/**
 * Counts what a stranger asks of us, by network, before anything is done for it.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function spendPublicAttempt(
  { db, clock }: System,
  actor: Actor,
  what: keyof typeof MOST,
): Promise<void> {
  const key = `verify-${what}:${networkOf(actor.ip)}`
  const attempts = await db.transaction((trx) => spendAttempt(trx, key, clock.now(), WINDOW))
  if (attempts > MOST[what]) throw new Problem('too-many-attempts', `attempt ${attempts} of ${key}`)
}
