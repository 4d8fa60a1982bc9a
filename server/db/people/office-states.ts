import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { OfficeState } from '#server/domain/offices/office-state.ts'
import type { Instant } from '#server/domain/time.ts'

export async function isSuspended(db: Reader, id: OfficeId): Promise<boolean> {
  const row = await db.selectFrom('offices').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state === 'suspended'
}

/** Compare-and-swap: false if the office is in this state already. */
export async function replaceOfficeState(
  trx: Transaction,
  id: OfficeId,
  state: OfficeState,
  { at, reason }: { at: Instant; reason: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('offices')
    .set({ state, state_since: at, state_reason: reason })
    .where('id', '=', id)
    .where('state', '!=', state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
