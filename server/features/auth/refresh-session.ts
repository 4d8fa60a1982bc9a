import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  endGenerations,
  extendAccess,
  findRefreshToken,
  insertGeneration,
  listGenerations,
} from '#server/db/sign-ins/session-tokens.ts'
import {
  endSession,
  findOpenedSession,
  lockSessionsOf,
  type OpenedSession,
  personOf,
  replaceGeneration,
  replaceLastSeen,
} from '#server/db/sign-ins/sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { type SessionTokens, successorOf } from '#server/domain/crypto/session-tokens.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { Origin, Person } from '#server/domain/identity/actor.ts'
import { type Generation, judgeRefresh, REFRESH_GRACE } from '#server/domain/identity/refresh.ts'
import { isLive, type Visit } from '#server/domain/identity/session.ts'
import { after, type Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

export type Refreshed =
  | { kind: 'refreshed'; tokens: SessionTokens; person: Person }
  /** The token is not valid. The browser may hold a newer one. */
  | { kind: 'none' }
  /** An old token was replayed: the session was ended and the user warned. */
  | { kind: 'reused' }

type Refresh = {
  trx: Transaction
  origin: Origin
  at: Instant
  tokenKey: Uint8Array
  /** The token that the browser sent. */
  refresh: Token
  opened: OpenedSession
  presented: Generation
  later: Generation[]
}

/**
 * Exchanges a refresh token for the newest tokens of its session. Two tabs that refresh at once get the same
 * tokens, and so does a browser that lost the response. A later replay of an old token ends the session.
 *
 * @param token as the browser sent it
 * @param visit `background` does not extend an idle session
 */
export async function refreshSession(
  system: Pick<System, 'db' | 'clock' | 'settings'>,
  origin: Origin,
  token: string,
  visit: Exclude<Visit, 'passive'> = 'background',
): Promise<Refreshed> {
  const { db, clock, settings } = system
  const known = Token.safeParse(token)
  if (!known.success) return { kind: 'none' }
  const refresh = known.data
  const tokenHash = hashOfToken(refresh)
  const { tokenKey } = settings

  return await db.transaction(async (trx): Promise<Refreshed> => {
    const found = await findRefreshToken(trx, tokenHash)
    if (!found) return { kind: 'none' }
    // Read everything else under the lock: another tab may be replacing the same token.
    await lockSessionsOf(trx, found.userId)
    const at = clock.now()
    const opened = await findOpenedSession(trx, found.sessionId)
    if (opened?.userState !== 'active' || !isLive(opened.session, opened.idle, at))
      return { kind: 'none' }
    const [presented, ...later] = await listGenerations(trx, found.sessionId, found.generation)
    if (!presented) return { kind: 'none' }
    if (visit === 'activity') await replaceLastSeen(trx, found.sessionId, at)
    const now = { trx, origin, at, tokenKey, refresh, opened, presented, later }
    switch (judgeRefresh(presented, later, at)) {
      case 'rotate':
        return await rotate(now)
      case 'repeat':
        return await repeat(now)
      case 'superseded':
        return { kind: 'none' }
      case 'reuse':
        return await endFamily(now)
    }
  })
}

async function rotate({ trx, origin, at, tokenKey, refresh, opened }: Refresh): Promise<Refreshed> {
  const { session } = opened
  const number = session.generation + 1
  const tokens = successorOf(tokenKey, refresh, 1, session.expiresAt)
  // The session ended after it was read: no new tokens.
  if (!(await replaceGeneration(trx, session.id, number))) return { kind: 'none' }
  const accessUntil = after(at, REFRESH_GRACE)
  await endGenerations(trx, session.id, session.generation, { at, accessUntil })
  await insertGeneration(trx, { sessionId: session.id, number, cause: 'refresh', tokens, at })
  const person = personOf(opened, origin, at)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'session.refreshed',
    subject: { kind: 'session', id: session.id },
    details: { generation: number },
  })
  return { kind: 'refreshed', tokens, person }
}

/* Repeats the answer to the first exchange; nothing changes, so nothing is logged. */
async function repeat(refreshing: Refresh): Promise<Refreshed> {
  const { trx, origin, at, tokenKey, refresh, opened, later } = refreshing
  const tokens = successorOf(tokenKey, refresh, later.length, opened.session.expiresAt)
  await extendAccess(trx, tokens, at)
  return { kind: 'refreshed', tokens, person: personOf(opened, origin, at) }
}

async function endFamily({ trx, origin, at, opened, presented }: Refresh): Promise<Refreshed> {
  const { session } = opened
  const { id, userId, officeId } = session
  await endSession(trx, id, { at, by: null, reason: 'refresh-reuse' })
  await raiseAlert(trx, {
    officeId,
    userId,
    kind: 'refresh-reuse',
    severity: 'danger',
    subjectKind: 'session',
    subjectId: id,
    facts: { device: origin.device, ip: origin.ip },
    occasion: occasions.refreshReuse(id),
    at,
  })
  await appendEvent(trx, {
    // The holder of a copied token is not necessarily the user.
    actor: { kind: 'anonymous', ...originOnly(origin) },
    at,
    officeId,
    action: 'session.reuse-detected',
    subject: { kind: 'session', id },
    result: 'refused',
    details: { userId, presented: presented.number, current: session.generation },
  })
  return { kind: 'reused' }
}

const originOnly = ({ ip, device, requestId, browser }: Origin): Origin => ({
  ip,
  device,
  requestId,
  browser,
})
