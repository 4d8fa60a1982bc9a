import { endBackupCodesOf } from '#server/db/factors/backup-codes.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Sees to it, once a factor was taken away, that its owner can still come in. Says how many backup codes
 * went because nothing is left that they could stand in for: alone they would be a second password.
 *
 * @param removed `suspect` for a key that opened nothing before
 * @throws {Problem} `last-factor` when no other works and the office wants one, or one is asked for
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
  // With nothing but a suspect key the person would be asked for what opens nothing.
  if (hasSecondFactor || office?.secondFactorGrace !== null)
    throw new Problem('last-factor', `${userId} would be left without a second factor`)
  return await endBackupCodesOf(trx, userId, at)
}
