import { findRefreshToken } from '#server/db/sign-ins/session-tokens.ts'
import { findOpenedSession } from '#server/db/sign-ins/sessions.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import { isLive } from '#server/domain/identity/session.ts'
import type { SessionId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

export type Refreshable = {
  sessionId: SessionId
  /** `over`: it ended or expired and cannot be refreshed. */
  state: 'live' | 'over'
}

/**
 * The session of this refresh token; undefined for any other token. Changes nothing.
 *
 * @param token as the browser sent it
 */
export async function findRefreshable(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  token: string | undefined,
): Promise<Refreshable | undefined> {
  const known = Token.safeParse(token)
  const found = known.success ? await findRefreshToken(db, hashOfToken(known.data)) : undefined
  if (!found) return undefined
  const { sessionId } = found
  const opened = await findOpenedSession(db, sessionId)
  const isOpen = opened?.userState === 'active' && isLive(opened.session, opened.idle, clock.now())
  return { sessionId, state: isOpen ? 'live' : 'over' }
}
