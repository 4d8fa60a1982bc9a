import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Email } from '#server/domain/identity/email.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { findUserRow } from './users.ts'

export type Credentials = { user: User; passwordHash: string | null }

/** The credentials for a sign-in: the only reader of password hashes. */
export async function findCredentials(db: Reader, email: Email): Promise<Credentials | undefined> {
  return credentialsIn(await findUserRow(db, 'email', email))
}

/** The same for a known user. */
export async function findCredentialsOf(db: Reader, id: UserId): Promise<Credentials | undefined> {
  return credentialsIn(await findUserRow(db, 'id', id))
}

/**
 * The same, with a row lock until the transaction ends: a concurrent change of the password or state waits, and
 * then finds the sessions opened here.
 */
export async function lockCredentialsOf(
  trx: Transaction,
  id: UserId,
): Promise<Credentials | undefined> {
  // Changes nothing; takes the row lock.
  await trx
    .updateTable('users')
    .set(({ ref }) => ({ state: ref('state') }))
    .where('id', '=', id)
    .execute()
  return await findCredentialsOf(trx, id)
}

const credentialsIn = (found: Awaited<ReturnType<typeof findUserRow>>): Credentials | undefined =>
  found && { user: found.user, passwordHash: found.row.password_hash }

/** Compare-and-swap: false if the password hash is no longer `from`. Also clears a required password change. */
export async function replacePassword(
  trx: Transaction,
  id: UserId,
  from: string | null,
  to: string,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({
      password_hash: to,
      password_changed_at: at,
      password_change_since: null,
      password_change_by: null,
    })
    .where('id', '=', id)
    .where('password_hash', from === null ? 'is' : '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Stores a new hash of the same password; does nothing if the password changed meanwhile. */
export async function replacePasswordHash(
  trx: Transaction,
  id: UserId,
  from: string,
  to: string,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .execute()
}

/** Requires the user to change the password before anything else. */
export async function markPasswordChange(
  trx: Transaction,
  id: UserId,
  at: Instant,
  by: UserId,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_change_since: at, password_change_by: by })
    .where('id', '=', id)
    .execute()
}
