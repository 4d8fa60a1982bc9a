import { z } from 'zod'
import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import { lockCredentialsOf } from '#server/db/people/credentials.ts'
import { listLinkedAccounts } from '#server/db/people/linked-accounts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { endSession } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { completeFirstFactor, type FirstFactorOutcome } from './complete-first-factor.ts'
import { originOf } from './linked-account-events.ts'

export const SwitchAccount = z.object({ userId: UserId })
export type SwitchAccount = z.infer<typeof SwitchAccount>

/**
 * Ends the caller's session and signs them in to their account in another office. The link stands for its password: a
 * second factor of that account is asked for next.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `not-found` for an account that is not linked or has another RFC
 *   by now, `wrong-state` for one that is not active, `office-suspended`
 */
export async function switchAccount(
  system: Pick<System, 'db' | 'clock' | 'settings'>,
  actor: Actor,
  { userId }: SwitchAccount,
): Promise<FirstFactorOutcome> {
  const { db, clock, settings } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'accounts.switch-own', own, at)
  return await db.transaction(async (trx) => {
    const current = (await listLinkedAccounts(trx, person.userId)).includes(userId)
      ? await lockCredentialsOf(trx, userId)
      : undefined
    if (current?.user.rfc !== person.rfc)
      throw new Problem('not-found', `${userId} is not linked with ${person.userId}`)
    const { user } = current
    if (user.state !== 'active') throw new Problem('wrong-state', `${userId} is ${user.state}`)
    const office = await findOffice(trx, user.officeId)
    if (!office) throw new Error(`${userId} has no office`)

    const { sessionId } = person
    const reason = 'switched'
    if (!(await endSession(trx, sessionId, { at, by: person.userId, reason })))
      throw new Problem('not-signed-in', `session ${sessionId} is over`)
    const ended: NewEvent = {
      ...{ actor: person, at, action: 'session.ended', details: { reason } },
      subject: { kind: 'session', id: sessionId },
    }
    // The logs of several offices are locked in the order of their ids.
    const isFirst = person.officeId < user.officeId
    const outcome = await completeFirstFactor(trx, {
      ...{ user, office, actor: originOf(person), at, tokenKey: settings.tokenKey, by: 'switch' },
      before: isFirst ? [ended] : [],
    })
    if (!isFirst) await appendEvent(trx, ended)
    return outcome
  })
}
