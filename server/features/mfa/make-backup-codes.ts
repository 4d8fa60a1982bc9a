import { randomBytes } from 'node:crypto'
import {
  type BackupCodeSet,
  countBackupCodes,
  replaceBackupCodes,
} from '#server/db/factors/backup-codes.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  BACKUP_CODES,
  backupCodeFrom,
  formatBackupCode,
} from '#server/domain/identity/backup-code.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

export type NewBackupCodes = {
  /** Shown once: `XXXX-XXXX-XXXX`; the first is number 1. */
  codes: string[]
  /** The hashes to store. */
  set: BackupCodeSet
}

/** Makes ten codes. Each is hashed as slowly as a password, so call this outside a transaction. */
export async function makeBackupCodes({
  passwords,
}: Pick<System, 'passwords'>): Promise<NewBackupCodes> {
  const salt = new Uint8Array(randomBytes(16))
  const codes = Array.from({ length: BACKUP_CODES }, () => backupCodeFrom(randomBytes(12)))
  const hashes: Uint8Array[] = []
  // One by one, so that a concurrent sign-in does not queue behind ten hashes.
  for (const code of codes) hashes.push(await passwords.derive(code, salt))
  return { codes: codes.map(formatBackupCode), set: { salt, hashes } }
}

/**
 * Stores the codes, unless another first factor created some meanwhile. The caller must hold the lock
 * `factors:USER_ID`.
 */
export async function giveBackupCodes(
  trx: Transaction,
  userId: UserId,
  fresh: NewBackupCodes | undefined,
  at: Instant,
): Promise<{ codes: string[]; setId: string } | undefined> {
  if (!fresh || (await countBackupCodes(trx, userId))) return undefined
  return { codes: fresh.codes, setId: await replaceBackupCodes(trx, userId, fresh.set, at) }
}
