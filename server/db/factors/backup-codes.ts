import { randomUUID } from 'node:crypto'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Stored codes. They share one salt, so that an attempt derives one key instead of ten. */
export type BackupCodeSet = {
  salt: Uint8Array
  /** In display order; the first is number 1. */
  hashes: Uint8Array[]
}

export type StoredBackupCode = { id: string; setId: string; number: number; hash: Uint8Array }

/** The user's unused codes, with the salt of their set; undefined if there are none. */
export async function findUnusedBackupCodes(
  db: Reader,
  userId: UserId,
): Promise<{ salt: Uint8Array; codes: StoredBackupCode[] } | undefined> {
  const rows = await db
    .selectFrom('backup_codes')
    .select(['id', 'set_id', 'number', 'salt', 'code_hash'])
    .where('user_id', '=', userId)
    .where('state', '=', 'unused')
    .orderBy('number')
    .execute()
  const salt = rows[0]?.salt
  if (!salt) return undefined
  const codes = rows.map(({ id, set_id: setId, number, code_hash }) => ({
    id,
    setId,
    number,
    hash: Uint8Array.from(code_hash),
  }))
  return { salt: Uint8Array.from(salt), codes }
}

export type BackupCodeStock = { left: number; total: number; createdAt: Instant }

/** Number of codes left in the newest set; undefined if the user has no codes. */
export async function countBackupCodes(
  db: Reader,
  userId: UserId,
): Promise<BackupCodeStock | undefined> {
  const rows = await db
    .selectFrom('backup_codes')
    .select(['state', 'created_at'])
    .where('user_id', '=', userId)
    .where('state', 'in', ['unused', 'used'])
    .execute()
  const createdAt = rows[0]?.created_at
  if (createdAt === undefined) return undefined
  const left = rows.filter(({ state }) => state === 'unused').length
  return { left, total: rows.length, createdAt: Instant.parse(createdAt) }
}

/** Marks a code as used. Compare-and-swap: false if it was used meanwhile or its set was replaced. */
export async function takeBackupCode(trx: Transaction, id: string, at: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('backup_codes')
    .set({ state: 'used', state_since: at })
    .where('id', '=', id)
    .where('state', '=', 'unused')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Replaces all codes of the user. Returns the id of the new set. */
export async function replaceBackupCodes(
  trx: Transaction,
  userId: UserId,
  { salt, hashes }: BackupCodeSet,
  at: Instant,
): Promise<string> {
  await endBackupCodesOf(trx, userId, at)
  const setId = randomUUID()
  const rows = hashes.map((hash, index) => ({
    id: randomUUID(),
    user_id: userId,
    set_id: setId,
    number: index + 1,
    salt,
    code_hash: hash,
    created_at: at,
    state: 'unused',
    state_since: at,
  }))
  await trx.insertInto('backup_codes').values(rows).execute()
  return setId
}

/** Removes all codes of the user, used ones too; returns how many were unused. */
export async function endBackupCodesOf(
  trx: Transaction,
  userId: UserId,
  at: Instant,
): Promise<number> {
  const end = async (from: 'used' | 'unused', to: string) => {
    const { numUpdatedRows } = await trx
      .updateTable('backup_codes')
      .set({ state: to, state_since: at })
      .where('user_id', '=', userId)
      .where('state', '=', from)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  }
  await end('used', 'used-before')
  return await end('unused', 'replaced')
}
