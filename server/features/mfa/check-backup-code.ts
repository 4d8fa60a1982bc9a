import { timingSafeEqual } from 'node:crypto'
import {
  countBackupCodes,
  findUnusedBackupCodes,
  type StoredBackupCode,
  takeBackupCode,
} from '#server/db/factors/backup-codes.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { FEW_BACKUP_CODES, readBackupCode } from '#server/domain/identity/backup-code.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { type CheckedFactor, refusedFactor } from '#server/steps/factors/checked-factor.ts'
import type { System } from '#server/system.ts'

/** Checks a backup code; takes equally long if the user has none. */
export async function checkBackupCode(
  { db, clock, passwords }: Pick<System, 'db' | 'clock' | 'passwords'>,
  user: Pick<User, 'id' | 'officeId'>,
  typed: string,
): Promise<CheckedFactor> {
  const code = readBackupCode(typed)
  if (code === undefined) return refusedFactor('malformed')
  const stored = await findUnusedBackupCodes(db, user.id)
  const hash = await passwords.derive(code, stored?.salt ?? new Uint8Array(16))
  const found = stored && pick(stored.codes, hash)
  if (!found) return refusedFactor(stored ? 'wrong-code' : 'no-such-factor')

  let left = 0
  return {
    ok: true,
    async commit(trx) {
      const at = clock.now()
      if (!(await takeBackupCode(trx, found.id, at))) return false
      left = (await countBackupCodes(trx, user.id))?.left ?? 0
      if (left <= FEW_BACKUP_CODES) await warn(trx, user, found, left, at)
      return true
    },
    record: async () => {},
    facts: () => ({ factor: 'BACKUP_CODE', number: found.number, left }),
  }
}

/* Compares all codes, so the time does not depend on which one matches. */
function pick(codes: readonly StoredBackupCode[], hash: Uint8Array): StoredBackupCode | undefined {
  return codes.filter((one) => timingSafeEqual(one.hash, hash))[0]
}

async function warn(
  trx: Transaction,
  user: Pick<User, 'id' | 'officeId'>,
  { setId }: StoredBackupCode,
  left: number,
  at: Instant,
) {
  await raiseAlert(trx, {
    officeId: user.officeId,
    userId: user.id,
    kind: 'backup-codes-low',
    severity: left === 0 ? 'warning' : 'information',
    subjectKind: 'user',
    subjectId: user.id,
    facts: { left },
    occasion: occasions.backupCodesLow(setId, left),
    at,
  })
}
