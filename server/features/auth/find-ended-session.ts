import { findRefreshToken } from '#server/db/sign-ins/session-tokens.ts'
import { findSessionByAccess } from '#server/db/sign-ins/sessions.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { SessionId, UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

/** A session that no longer opens anything, and its user. */
export type EndedSession = { sessionId: SessionId; userId: UserId }

/**
 * The session of these tokens, which were refused; undefined for tokens of no session. Changes nothing, and proves nothing
 * about who sends them: they may lie in a browser for days.
 *
 * @param tokens as the browser sent them
 */
export async function findEndedSession(
  { db }: Pick<System, 'db'>,
  tokens: { access: string | undefined; refresh: string | undefined },
): Promise<EndedSession | undefined> {
  const [access, refresh] = [Token.safeParse(tokens.access), Token.safeParse(tokens.refresh)]
  const opened = access.success && (await findSessionByAccess(db, hashOfToken(access.data)))
  if (opened) return { sessionId: opened.session.id, userId: opened.session.userId }
  const found = refresh.success && (await findRefreshToken(db, hashOfToken(refresh.data)))
  return found ? { sessionId: found.sessionId, userId: found.userId } : undefined
}
