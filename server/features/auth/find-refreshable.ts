import { findRefreshToken } from '#server/db/session-tokens.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { SessionId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

/**
 * The session that this refresh token belongs to, live or over; undefined for any other token. Nothing changes.
 *
 * @param token as the browser sent it
 */
export async function findRefreshable(
  { db }: Pick<System, 'db'>,
  token: string | undefined,
): Promise<SessionId | undefined> {
  const known = Token.safeParse(token)
  if (!known.success) return undefined
  return (await findRefreshToken(db, hashOfToken(known.data)))?.sessionId
}
