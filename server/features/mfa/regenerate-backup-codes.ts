import { replaceBackupCodes } from '#server/db/factors/backup-codes.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { recordNewBackupCodes, warnOfChange } from './factor-changes.ts'
import { makeBackupCodes } from './make-backup-codes.ts'

/**
 * Replaces the backup codes by ten new ones, shown once.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`; `second-factor-needed` without a second factor that the
 *   codes could replace
 */
export async function regenerateBackupCodes(
  system: System,
  actor: Actor,
): Promise<{ codes: string[] }> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, clock.now())
  const { userId } = person
  const { codes, set } = await makeBackupCodes(system)
  const at = clock.now()

  await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `factors:${userId}`)
    if (!(await listHeldFactors(trx, userId)).hasSecondFactor)
      throw new Problem('second-factor-needed', `${userId} has no second factor`)
    const setId = await replaceBackupCodes(trx, userId, set, at)
    await warnOfChange(trx, person, 'backup-codes-created', setId, at)
    await recordNewBackupCodes(trx, person, setId, at)
  })
  return { codes }
}
