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
  /** To be shown once: `XXXX-XXXX-XXXX`, the first is number 1. */
  codes: string[]
  /** To be stored. */
  set: BackupCodeSet
}

/** Ten new codes. Each costs what a password costs, so this stands outside of any transaction. */
export async function makeBackupCodes({
  passwords,
}: Pick<System, 'passwords'>): Promise<NewBackupCodes> {
  const salt = new Uint8Array(randomBytes(16))
  const codes = Array.from({ length: BACKUP_CODES }, () => backupCodeFrom(randomBytes(12)))
  const hashes: Uint8Array[] = []
  // One after the other: whoever signs in meanwhile does not wait behind ten.
  for (const code of codes) hashes.push(await passwords.derive(code, salt))
  return { codes: codes.map(formatBackupCode), set: { salt, hashes } }
}

/**
 * Gives the codes to their owner, unless another first factor brought some along meanwhile. The lock
 * `factors:` and the id of the owner must be held.
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
