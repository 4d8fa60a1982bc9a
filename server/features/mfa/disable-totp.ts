import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endTotpFactors, findTotpFactor } from '#server/db/factors/totp-factors.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { warnOfChange } from './factor-changes.ts'
import { mustLeaveEnough } from './leave-enough.ts'

/**
 * Removes the authenticator app; its codes are no longer accepted. Backup codes are removed with the last
 * second factor: alone they would be a second password.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`; `not-found` when there is none; `last-factor` when no
 *   other works and the office requires one
 */
export async function disableTotp(system: System, actor: Actor): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, at)
  const { userId } = person

  await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `factors:${userId}`)
    const factor = await findTotpFactor(trx, userId, 'active')
    if (!factor) throw new Problem('not-found', `${userId} has no authenticator app`)
    await endTotpFactors(trx, userId, 'active', 'disabled', { at, by: userId })
    const codes = await mustLeaveEnough(trx, person, 'usable', at)
    await warnOfChange(trx, person, 'totp-disabled', factor.id, at)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'totp.disabled',
      subject: { kind: 'second-factor', id: factor.id },
      details: { backupCodesEnded: codes },
    })
  })
}
