import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Sha256, SigningLinkId } from '#server/domain/ids.ts'
import { REJECTION_CODE_LIFETIME } from '#server/domain/signing/session/rejection-code.ts'
import { after, before, type Instant } from '#server/domain/time.ts'

/** When the newest code of this link was sent; null if none was, or it was used. */
export async function findRejectionCodeTime(
  db: Reader,
  link: SigningLinkId,
): Promise<Instant | null> {
  const row = await db
    .selectFrom('signing_links')
    .select('rejection_code_at')
    .where('id', '=', link)
    .executeTakeFirst()
  return row?.rejection_code_at ?? null
}

/** When a code that was sent at `sentAt` expires. */
export const expiryOfRejectionCode = (sentAt: Instant) => after(sentAt, REJECTION_CODE_LIFETIME)

/** Stores the hash of a new code; earlier ones of this link end. The caller must hold the session's lock. */
export async function replaceRejectionCode(
  trx: Transaction,
  link: SigningLinkId,
  hash: Sha256,
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('signing_links')
    .set({ rejection_code: hash, rejection_code_at: at })
    .where('id', '=', link)
    .execute()
}

/** Uses up the code. False if it is another one, expired, or used. */
export async function endRejectionCode(
  trx: Transaction,
  link: SigningLinkId,
  hash: Sha256,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('signing_links')
    .set({ rejection_code: null, rejection_code_at: null })
    .where('id', '=', link)
    .where('state', '=', 'opened')
    .where('rejection_code', '=', hash)
    .where('rejection_code_at', '>', before(at, REJECTION_CODE_LIFETIME))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
