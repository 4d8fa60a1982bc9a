import { randomBytes } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  type CalendarFeed,
  deleteCalendarFeed,
  findCalendarFeed,
  upsertCalendarFeed,
} from '#server/db/obligations/calendar-feeds.ts'
import { lockAccessTokensOf } from '#server/db/people/access-tokens.ts'
import { findSession } from '#server/db/sign-ins/sessions.ts'
import { hashOfToken, TOKEN_BYTES, type Token, tokenFrom } from '#server/domain/crypto/token.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

type Using = Pick<System, 'db' | 'clock'>

/** When the address of the caller's calendar was made and last used; undefined without one. @throws {Problem} `not-signed-in` */
export async function readCalendarFeed(
  { db, clock }: Using,
  actor: Actor,
): Promise<CalendarFeed | undefined> {
  const own = mustBeSignedIn(actor)
  const now = clock.now()
  const { userId } = await authorizeOrRecord(db, actor, 'calendar-feed.read-own', own, now)
  return await findCalendarFeed(db, userId)
}

/**
 * Makes a secret address of the caller's calendar. An earlier one ends.
 *
 * @returns the secret of the address; it is never shown again
 * @throws {Problem} `not-signed-in`, also if the session was ended meanwhile; `step-up-needed`
 */
export async function createCalendarFeed({ db, clock }: Using, actor: Actor): Promise<Token> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'calendar-feed.manage-own', own, at)
  const { userId, sessionId } = person
  const secret = tokenFrom(randomBytes(TOKEN_BYTES))
  await db.transaction(async (trx) => {
    // What ends all secrets of a user ends their sessions under this lock: a request under way must not leave one behind.
    await lockAccessTokensOf(trx, userId)
    const session = await findSession(trx, sessionId)
    if (session?.endedAt !== null)
      throw new Problem('not-signed-in', `session ${sessionId} was ended meanwhile`)
    await upsertCalendarFeed(trx, { userId, hash: hashOfToken(secret), at })
    await appendEvent(trx, {
      ...{ actor: person, at, action: 'calendar-feed.created' },
      subject: { kind: 'user', id: userId },
    })
  })
  return secret
}

/**
 * Ends the address of the caller's calendar. Needs no step-up: a user who suspects a leak must not be delayed. A repeated request
 * changes nothing.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function revokeCalendarFeed({ db, clock }: Using, actor: Actor): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'calendar-feed.read-own', own, at)
  await db.transaction(async (trx) => {
    if (!(await deleteCalendarFeed(trx, person.userId))) return
    await appendEvent(trx, {
      ...{ actor: person, at, action: 'calendar-feed.revoked' },
      subject: { kind: 'user', id: person.userId },
    })
  })
}
