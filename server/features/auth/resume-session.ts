import { findSessionByToken, replaceLastSeen } from '#server/db/sessions.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { Origin, Person } from '#server/domain/identity/actor.ts'
import { isLive, isSightingDue } from '#server/domain/identity/session.ts'
import type { System } from '#server/system.ts'

/**
 * The person whose live session this token opens; undefined for anything else: an unknown token, a
 * session that was ended or ran out, a person who is suspended.
 *
 * @param token as the browser sent it
 */
export async function resumeSession(
  system: Pick<System, 'db' | 'clock'>,
  origin: Origin,
  token: string,
): Promise<Person | undefined> {
  const { db, clock } = system
  const known = Token.safeParse(token)
  if (!known.success) return undefined
  const opened = await findSessionByToken(db, hashOfToken(known.data))
  const now = clock.now()
  if (opened?.userState !== 'active') return undefined
  const { session, idle, firstName, lastName, rfc, roles } = opened
  if (!isLive(session, idle, now)) return undefined

  if (isSightingDue(session.lastSeenAt, now))
    await db.transaction((trx) => replaceLastSeen(trx, session.id, now))

  const { ip, device, requestId } = origin
  return {
    kind: 'person',
    userId: session.userId,
    officeId: session.officeId,
    sessionId: session.id,
    roles,
    firstName,
    lastName,
    rfc,
    ip,
    device,
    requestId,
    signedInAt: session.createdAt,
  }
}
