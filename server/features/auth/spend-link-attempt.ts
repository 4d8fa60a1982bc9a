import { spendAttempt } from '#server/db/attempts.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { networkOf } from '#server/domain/identity/network.ts'
import { LINKS_FROM_NETWORK } from '#server/domain/identity/throttle.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/**
 * Counts an attempt to come in by a link, before anything is looked up.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function spendLinkAttempt({ db, clock }: System, actor: Actor): Promise<void> {
  const key = `link:${networkOf(actor.ip)}`
  const spent = await db.transaction((trx) =>
    spendAttempt(trx, key, clock.now(), LINKS_FROM_NETWORK),
  )
  if (!spent.allowed)
    throw new Problem('too-many-attempts', `no more of ${key}`, { retryAfter: spent.retryAfter })
}

/** Tells in the log that a code opened nothing; which one is not told, it may be nearly right. */
export async function refuseLink({ db, clock }: System, actor: Actor): Promise<Problem> {
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor,
      at: clock.now(),
      officeId: null,
      action: 'activation.refused',
      subject: { kind: 'nothing' },
      result: 'refused',
    }),
  )
  return new Problem('link-spent', 'a code that opens nothing')
}
