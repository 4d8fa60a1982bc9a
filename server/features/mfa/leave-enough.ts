import { endBackupCodesOf } from '#server/db/factors/backup-codes.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Checks after a factor was removed that its owner can still sign in. Returns how many backup codes were
 * removed because no second factor is left: alone they would be a second password.
 *
 * @param removed `suspect` for a key that was not accepted before
 * @throws {Problem} `last-factor` when no other works and the office requires one, or sign-in would still ask
 *   for one
 */
export async function mustLeaveEnough(
  trx: Transaction,
  { userId, officeId }: Person,
  removed: 'usable' | 'suspect',
  at: Instant,
): Promise<number> {
  const { hasSecondFactor, methods } = await listHeldFactors(trx, userId)
  if (methods.some((method) => method !== 'BACKUP_CODE')) return 0
  if (hasSecondFactor && removed === 'suspect') return 0
  const office = await findOffice(trx, officeId)
  // With only a suspect key, sign-in would ask for a factor that is not accepted.
  if (hasSecondFactor || office?.secondFactorGrace !== null)
    throw new Problem('last-factor', `${userId} would be left without a second factor`)
  return await endBackupCodesOf(trx, userId, at)
}
