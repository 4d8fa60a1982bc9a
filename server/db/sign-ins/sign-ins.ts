import { randomUUID } from 'node:crypto'
import type { SignInRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { hashOfToken, type Token } from '#server/domain/crypto/token.ts'
import {
  PendingSignIn,
  SIGN_IN_ATTEMPTS,
  SIGN_IN_LIFETIME,
} from '#server/domain/identity/pending-sign-in.ts'
import type { User } from '#server/domain/identity/user.ts'
import { SignInId } from '#server/domain/ids.ts'
import { after, type Instant } from '#server/domain/time.ts'

/** Starts a pending sign-in after the correct password; `token` identifies it until the second factor. */
export async function insertSignIn(
  trx: Transaction,
  user: Pick<User, 'id' | 'officeId'>,
  token: Token,
  at: Instant,
): Promise<PendingSignIn> {
  const signIn: PendingSignIn = {
    id: SignInId.parse(randomUUID()),
    userId: user.id,
    officeId: user.officeId,
    createdAt: at,
    expiresAt: after(at, SIGN_IN_LIFETIME),
    attempts: 0,
    state: 'open',
    stateSince: at,
  }
  await trx.insertInto('sign_ins').values(toRow(signIn, token)).execute()
  return signIn
}

/** The sign-in of this token, over or not. */
export async function findSignIn(db: Reader, token: Token): Promise<PendingSignIn | undefined> {
  const row = await db
    .selectFrom('sign_ins')
    .selectAll()
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst()
  return row && toSignIn(row)
}

/** The sign-in of this token while a second factor is accepted for it. */
export async function findOpenSignIn(
  db: Reader,
  token: Token,
  now: Instant,
): Promise<PendingSignIn | undefined> {
  const row = await db
    .selectFrom('sign_ins')
    .selectAll()
    .where('token_hash', '=', hashOfToken(token))
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .where('attempts', '<', SIGN_IN_ATTEMPTS)
    .executeTakeFirst()
  return row && toSignIn(row)
}

/**
 * Counts an attempt at the second factor before it is checked. Returns how many are left; undefined if there
 * was none or the sign-in is over.
 */
export async function consumeSignIn(
  trx: Transaction,
  id: SignInId,
  now: Instant,
): Promise<number | undefined> {
  const row = await trx
    .updateTable('sign_ins')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .where('attempts', '<', SIGN_IN_ATTEMPTS)
    .returning('attempts')
    .executeTakeFirst()
  return row && SIGN_IN_ATTEMPTS - row.attempts
}

/** Refunds an attempt that could not be made. */
export async function refundSignIn(trx: Transaction, id: SignInId): Promise<void> {
  await trx
    .updateTable('sign_ins')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('attempts', '>', 0)
    .execute()
}

/** Ends it: `used` when a session starts, `spent` by wrong attempts. False if it had ended already. */
export async function endSignIn(
  trx: Transaction,
  id: SignInId,
  end: 'used' | 'spent',
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sign_ins')
    .set({ state: end, state_since: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends all pending sign-ins of a user, for example after a password change. */
export async function endSignInsOf(
  trx: Transaction,
  userId: User['id'],
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('sign_ins')
    .set({ state: 'spent', state_since: at })
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .execute()
}

function toSignIn(row: SignInRow): PendingSignIn {
  return PendingSignIn.parse({
    ...row,
    userId: row.user_id,
    officeId: row.office_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    stateSince: row.state_since,
  })
}

function toRow(signIn: PendingSignIn, token: Token): SignInRow {
  return {
    id: signIn.id,
    token_hash: hashOfToken(token),
    user_id: signIn.userId,
    office_id: signIn.officeId,
    created_at: signIn.createdAt,
    expires_at: signIn.expiresAt,
    attempts: signIn.attempts,
    state: signIn.state,
    state_since: signIn.stateSince,
  }
}
