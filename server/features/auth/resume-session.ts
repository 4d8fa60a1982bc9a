import { markUsed } from '#server/db/sign-ins/session-tokens.ts'
import { findSessionByAccess, personOf, replaceLastSeen } from '#server/db/sign-ins/sessions.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { Origin, Person } from '#server/domain/identity/actor.ts'
import { isLastSeenDue, isLive, type Visit } from '#server/domain/identity/session.ts'
import type { System } from '#server/system.ts'

/**
 * The person whose session this access token opens; undefined if the token is unknown or old, the session ended
 * or expired, or the person is suspended.
 *
 * @param token as the browser sent it
 * @param visit whether the request extends an idle session
 */
export async function resumeSession(
  system: Pick<System, 'db' | 'clock'>,
  origin: Origin,
  token: string,
  visit: Visit = 'activity',
): Promise<Person | undefined> {
  const { db, clock } = system
  const known = Token.safeParse(token)
  if (!known.success) return undefined
  const tokenHash = hashOfToken(known.data)
  const opened = await findSessionByAccess(db, tokenHash)
  const now = clock.now()
  if (opened?.userState !== 'active' || now >= opened.access.expiresAt) return undefined
  const { session, idle, access } = opened
  if (!isLive(session, idle, now)) return undefined

  const isFirstUse = access.usedAt === null && visit !== 'passive'
  const isSeen = visit === 'activity' && isLastSeenDue(session.lastSeenAt, now)
  if (isFirstUse || isSeen)
    await db.transaction(async (trx) => {
      if (isFirstUse) await markUsed(trx, tokenHash, now)
      if (isSeen) await replaceLastSeen(trx, session.id, now)
    })
  return personOf(opened, origin, now)
}
