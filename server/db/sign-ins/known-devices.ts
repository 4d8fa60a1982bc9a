import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Whether the user signed in with this browser before. */
export async function isKnownDevice(db: Reader, userId: UserId, browser: Sha256): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('browser')
    .where('user_id', '=', userId)
    .where('browser', '=', browser)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the user signed in with any browser before. */
export async function hasKnownDevices(db: Reader, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('browser')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the user signed in with this browser. */
export async function insertKnownDevice(
  trx: Transaction,
  device: { userId: UserId; browser: Sha256; device: string; at: Instant },
): Promise<void> {
  const { at } = device
  await trx
    .insertInto('known_devices')
    .values({
      user_id: device.userId,
      browser: device.browser,
      device: device.device,
      first_seen_at: at,
      last_seen_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'browser'])
        .doUpdateSet({ device: device.device, last_seen_at: at }),
    )
    .execute()
}
