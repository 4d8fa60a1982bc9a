import { lockUntilCommit } from '#server/db/lock.ts'
import { deleteCalendarFeed } from '#server/db/obligations/calendar-feeds.ts'
import type { AccessTokenRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { AccessToken } from '#server/domain/identity/access-token.ts'
import type { AccessTokenId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function insertAccessToken(
  trx: Transaction,
  token: AccessToken,
  hash: Sha256,
): Promise<void> {
  const { id, name, scopes } = token
  const row: AccessTokenRow = {
    id,
    office_id: token.officeId,
    user_id: token.userId,
    name,
    token_hash: hash,
    scopes: scopes.join(' '),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revokedAt,
  }
  await trx.insertInto('access_tokens').values(row).execute()
}

export async function findAccessToken(
  db: Reader,
  id: AccessTokenId,
): Promise<AccessToken | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toToken(row)
}

export async function findAccessTokenByHash(
  db: Reader,
  hash: Sha256,
): Promise<AccessToken | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row && toToken(row)
}

/** The user's tokens that are neither revoked nor expired, newest first. */
export async function listAccessTokens(
  db: Reader,
  userId: UserId,
  now: Instant,
): Promise<AccessToken[]> {
  const rows = await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toToken)
}

export async function replaceLastUse(
  trx: Transaction,
  id: AccessTokenId,
  at: Instant,
): Promise<void> {
  await trx.updateTable('access_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** Compare-and-swap: false if the token was revoked already. */
export async function endAccessToken(
  trx: Transaction,
  id: AccessTokenId,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('access_tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Serializes transactions that make or end tokens of a user. */
export async function lockAccessTokensOf(trx: Transaction, userId: UserId): Promise<void> {
  await lockUntilCommit(trx, `access-tokens:${userId}`)
}

/**
 * Revokes all tokens of a user, and the secret address of their calendar: someone who held the account may know it. If the transaction ends the sessions of the user too, no request that is under way makes
 * another token.
 *
 * @returns the number of tokens
 */
export async function endAccessTokensOf(
  trx: Transaction,
  userId: UserId,
  at: Instant,
): Promise<number> {
  await lockAccessTokensOf(trx, userId)
  await deleteCalendarFeed(trx, userId)
  const { numUpdatedRows } = await trx
    .updateTable('access_tokens')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

const toToken = (row: AccessTokenRow): AccessToken =>
  AccessToken.parse({
    ...row,
    officeId: row.office_id,
    userId: row.user_id,
    scopes: row.scopes.split(' '),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  })
