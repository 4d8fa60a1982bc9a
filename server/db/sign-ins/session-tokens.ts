import type { SessionTokenRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import { hashOfToken } from '#server/domain/crypto/token.ts'
import {
  ACCESS_LIFETIME,
  type Generation,
  MOST_LATER,
  RotationCause,
} from '#server/domain/identity/refresh.ts'
import { SessionId, type Sha256, UserId } from '#server/domain/ids.ts'
import { after, earliest, type Instant } from '#server/domain/time.ts'

/** The session and generation of a refresh token, current or not. */
export async function findRefreshToken(
  db: Reader,
  tokenHash: Sha256,
): Promise<{ userId: UserId; sessionId: SessionId; generation: number } | undefined> {
  const row = await db
    .selectFrom('session_tokens')
    .innerJoin('sessions', 'sessions.id', 'session_tokens.session_id')
    .select(['user_id', 'session_id', 'session_tokens.generation'])
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'refresh')
    .executeTakeFirst()
  return (
    row && {
      userId: UserId.parse(row.user_id),
      sessionId: SessionId.parse(row.session_id),
      generation: row.generation,
    }
  )
}

/** Generations from `from` on, oldest first; at most one and `MOST_LATER`. */
export async function listGenerations(
  db: Reader,
  sessionId: SessionId,
  from: number,
): Promise<Generation[]> {
  const rows = await db
    .selectFrom('session_tokens')
    .select(['generation', 'cause', 'replaced_at', 'used_at'])
    .where('session_id', '=', sessionId)
    .where('generation', '>=', from)
    .where('kind', '=', 'access')
    .orderBy('generation')
    .limit(1 + MOST_LATER)
    .execute()
  return rows.map((row) => ({
    number: row.generation,
    cause: RotationCause.parse(row.cause),
    replacedAt: row.replaced_at,
    usedAt: row.used_at,
  }))
}

/** Stores both tokens of a new generation. */
export async function insertGeneration(
  trx: Transaction,
  generation: {
    sessionId: SessionId
    number: number
    cause: RotationCause
    tokens: SessionTokens
    at: Instant
  },
): Promise<void> {
  const { sessionId, number, cause, tokens, at } = generation
  const row = (kind: 'access' | 'refresh', expiresAt: Instant): SessionTokenRow => ({
    token_hash: hashOfToken(tokens[kind]),
    session_id: sessionId,
    kind,
    generation: number,
    cause,
    created_at: at,
    expires_at: expiresAt,
    used_at: null,
    replaced_at: null,
  })
  const rows = [row('access', endOfAccess(tokens, at)), row('refresh', tokens.expiresAt)]
  await trx.insertInto('session_tokens').values(rows).execute()
}

/**
 * Marks this and earlier generations as replaced and ends their access tokens.
 *
 * @param accessUntil grace for requests already sent with the old access token
 */
export async function endGenerations(
  trx: Transaction,
  sessionId: SessionId,
  upTo: number,
  { at, accessUntil }: { at: Instant; accessUntil: Instant },
): Promise<void> {
  const older = trx
    .updateTable('session_tokens')
    .where('session_id', '=', sessionId)
    .where('generation', '<=', upTo)
  await older.set({ replaced_at: at }).where('replaced_at', 'is', null).execute()
  await older
    .set({ expires_at: accessUntil })
    .where('kind', '=', 'access')
    .where('expires_at', '>', accessUntil)
    .execute()
}

/** Restores the full lifetime of an access token that is issued again. */
export async function extendAccess(
  trx: Transaction,
  tokens: SessionTokens,
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('session_tokens')
    .set({ expires_at: endOfAccess(tokens, at) })
    .where('token_hash', '=', hashOfToken(tokens.access))
    .execute()
}

/** Records the browser's first use of the token. */
export async function markUsed(trx: Transaction, tokenHash: Sha256, at: Instant): Promise<void> {
  await trx
    .updateTable('session_tokens')
    .set({ used_at: at })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .execute()
}

const endOfAccess = ({ expiresAt }: SessionTokens, at: Instant) =>
  earliest(after(at, ACCESS_LIFETIME), expiresAt)
