import { randomUUID } from 'node:crypto'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Of one person; more than anyone has. */
export const MOST_ACCOUNTS = 20

/** The other accounts of the person with this one, by id. */
export async function listLinkedAccounts(db: Reader, userId: UserId): Promise<UserId[]> {
  const rows = await db
    .selectFrom('linked_accounts as own')
    .innerJoin('linked_accounts as other', 'other.person', 'own.person')
    .select('other.user_id')
    .where('own.user_id', '=', userId)
    .where('other.user_id', '!=', userId)
    .orderBy('other.user_id')
    .limit(MOST_ACCOUNTS)
    .execute()
  return rows.map((row) => UserId.parse(row.user_id))
}

/** The name of the account's office if it is linked with others. Every page asks for it. */
export async function findOfficeOfLinked(db: Reader, userId: UserId): Promise<string | undefined> {
  const row = await db
    .selectFrom('linked_accounts')
    .innerJoin('users', 'users.id', 'linked_accounts.user_id')
    .innerJoin('offices', 'offices.id', 'users.office_id')
    .select('offices.name')
    .where('linked_accounts.user_id', '=', userId)
    .executeTakeFirst()
  return row?.name
}

/** Serializes changes of links until the transaction ends. They are rare. */
export const lockLinkedAccounts = (trx: Transaction) => lockUntilCommit(trx, 'linked-accounts')

/**
 * Makes all accounts of either the accounts of one person. Call under the lock.
 *
 * @returns false, without changes, if they would be more than one person has
 */
export async function linkAccounts(
  trx: Transaction,
  one: UserId,
  other: UserId,
  at: Instant,
): Promise<boolean> {
  const all = new Set([one, other])
  for (const id of [one, other])
    for (const linked of await listLinkedAccounts(trx, id)) all.add(linked)
  if (all.size > MOST_ACCOUNTS) return false
  const person = randomUUID()
  for (const user_id of all)
    await trx
      .insertInto('linked_accounts')
      .values({ user_id, person, linked_at: at })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ person }))
      .execute()
  return true
}

/** Takes the account from its person. Call under the lock. */
export async function unlinkAccount(trx: Transaction, userId: UserId): Promise<void> {
  const others = await listLinkedAccounts(trx, userId)
  const left = others.length === 1 ? [userId, ...others] : [userId]
  await trx.deleteFrom('linked_accounts').where('user_id', 'in', left).execute()
}
