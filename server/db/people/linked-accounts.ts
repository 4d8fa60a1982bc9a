import { randomUUID } from 'node:crypto'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** More than one person has. */
const MOST_LINKED_ACCOUNTS = 20

/** The other accounts of the person with this one, by id. */
export async function listLinkedAccounts(db: Reader, userId: UserId): Promise<UserId[]> {
  const rows = await db
    .selectFrom('linked_accounts as own')
    .innerJoin('linked_accounts as other', 'other.person', 'own.person')
    .select('other.user_id')
    .where('own.user_id', '=', userId)
    .where('other.user_id', '!=', userId)
    .orderBy('other.user_id')
    .limit(MOST_LINKED_ACCOUNTS)
    .execute()
  return rows.map((row) => UserId.parse(row.user_id))
}

/** Serializes changes of links until the transaction ends. They are rare. */
export const lockLinkedAccounts = (trx: Transaction) => lockUntilCommit(trx, 'linked-accounts')

/** Makes all accounts of either the accounts of one person. Call under the lock. */
export async function linkAccounts(
  trx: Transaction,
  one: UserId,
  other: UserId,
  at: Instant,
): Promise<void> {
  const ids = [one, other]
  for (const id of [...ids]) ids.push(...(await listLinkedAccounts(trx, id)))
  const person = randomUUID()
  for (const user_id of new Set(ids))
    await trx
      .insertInto('linked_accounts')
      .values({ user_id, person, linked_at: at })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ person }))
      .execute()
}

/** Takes the account from its person. Call under the lock. */
export async function unlinkAccount(trx: Transaction, userId: UserId): Promise<void> {
  const others = await listLinkedAccounts(trx, userId)
  const left = others.length === 1 ? [userId, ...others] : [userId]
  await trx.deleteFrom('linked_accounts').where('user_id', 'in', left).execute()
}
