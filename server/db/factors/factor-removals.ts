import type { FactorRemovalRow } from '#server/db/tables/people.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { FactorRemoval } from '#server/domain/identity/factor-removal.ts'
import type { FactorRemovalId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function insertFactorRemoval(trx: Transaction, removal: FactorRemoval): Promise<void> {
  await trx.insertInto('factor_removals').values(toRow(removal)).execute()
}

export async function findFactorRemoval(
  db: Reader,
  id: FactorRemovalId,
): Promise<FactorRemoval | undefined> {
  const row = await db
    .selectFrom('factor_removals')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRemoval(row)
}

/** The user's pending removal request; undefined when it has expired. */
export async function findOpenFactorRemoval(
  db: Reader,
  userId: UserId,
  now: Instant,
): Promise<FactorRemoval | undefined> {
  const row = await db
    .selectFrom('factor_removals')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .orderBy('asked_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toRemoval(row)
}

/** Decides the request. Compare-and-swap: false if it was decided already or has expired. */
export async function replaceFactorRemovalState(
  trx: Transaction,
  id: FactorRemovalId,
  to: 'approved' | 'refused',
  { at, by }: { at: Instant; by: UserId },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('factor_removals')
    .set({ state: to, state_since: at, state_by: by })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toRemoval(row: FactorRemovalRow): FactorRemoval {
  return FactorRemoval.parse({
    ...row,
    officeId: row.office_id,
    userId: row.user_id,
    askedAt: row.asked_at,
    askedBy: row.asked_by,
    expiresAt: row.expires_at,
    stateSince: row.state_since,
    stateBy: row.state_by,
  })
}

function toRow(removal: FactorRemoval): FactorRemovalRow {
  return {
    id: removal.id,
    office_id: removal.officeId,
    user_id: removal.userId,
    reason: removal.reason,
    asked_at: removal.askedAt,
    asked_by: removal.askedBy,
    expires_at: removal.expiresAt,
    state: removal.state,
    state_since: removal.stateSince,
    state_by: removal.stateBy,
  }
}
