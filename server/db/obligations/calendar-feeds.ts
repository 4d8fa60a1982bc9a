import type { CalendarFeedRow } from '#server/db/tables/obligations.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { type Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** The secret address of a user's calendar; only the SHA-256 of its secret is stored. */
export type CalendarFeed = {
  userId: UserId
  createdAt: Instant
  lastUsedAt: Instant | null
}

export async function findCalendarFeed(
  db: Reader,
  userId: UserId,
): Promise<CalendarFeed | undefined> {
  const row = await db
    .selectFrom('calendar_feeds')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && toFeed(row)
}

export async function findCalendarFeedByHash(
  db: Reader,
  hash: Sha256,
): Promise<CalendarFeed | undefined> {
  const row = await db
    .selectFrom('calendar_feeds')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row && toFeed(row)
}

/** Makes an address; the user's earlier one is no longer known. */
export async function upsertCalendarFeed(
  trx: Transaction,
  { userId, hash, at }: { userId: UserId; hash: Sha256; at: Instant },
): Promise<void> {
  const made = { token_hash: hash, created_at: at, last_used_at: null }
  await trx
    .insertInto('calendar_feeds')
    .values({ user_id: userId, ...made })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(made))
    .execute()
}

/** False if the user has none. */
export async function deleteCalendarFeed(trx: Transaction, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('calendar_feeds')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Compare-and-swap: false if another request noted its use, or the address changed. */
export async function replaceFeedUse(
  trx: Transaction,
  { userId, createdAt, lastUsedAt }: CalendarFeed,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('calendar_feeds')
    .set({ last_used_at: at })
    .where('user_id', '=', userId)
    .where('created_at', '=', createdAt)
    .where('last_used_at', lastUsedAt === null ? 'is' : '=', lastUsedAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const toFeed = ({ user_id, created_at, last_used_at }: CalendarFeedRow): CalendarFeed => ({
  userId: UserId.parse(user_id),
  createdAt: created_at,
  lastUsedAt: last_used_at,
})
