import { readCookie } from '#app/http/cookies/cookies.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { clearSessionCookies, clearSignInCookie } from '#app/http/cookies/session-cookies.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Session } from '#server/domain/identity/session.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { endOtherSessions } from '#server/features/auth/end-other-sessions.ts'
import { endSession } from '#server/features/auth/end-session.ts'
import { findRefreshable } from '#server/features/auth/find-refreshable.ts'
import { listOwnSessions } from '#server/features/auth/list-own-sessions.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { type CallArgs, defineCall } from './define-call.ts'
import {
  getSessionQuery,
  healthResponse,
  listSessionsQuery,
  listSessionsResponse,
  logoutRequest,
  refreshTokenRequest,
  refreshTokenResponse,
  sessionPath,
  terminateAllSessionsRequest,
  terminateAllSessionsResponse,
  validateSessionResponse,
} from './session-schemas.ts'
import { session } from './shared-schemas.ts'
import { shownSession, shownUser } from './shown.ts'

export const health = defineCall({
  name: 'getHealth',
  method: 'GET',
  template: '/auth/health',
  summary: 'Reports that the service is up, and the server time.',
  access: 'everyone',
  response: healthResponse,
  async reply({ system }) {
    return { body: { status: 'ok' as const, time: toTimestamp(system.clock.now()) } }
  },
})

export const validateSession = defineCall({
  name: 'validateSession',
  method: 'GET',
  template: '/auth/session/validate',
  summary: 'Reports the session and its user. Does not count as activity.',
  access: 'everyone',
  response: validateSessionResponse,
  // An expired access token of a live session: the client refreshes and retries.
  refusals: [401],
  async reply({ system, actor, request }) {
    if (actor.kind === 'person') return { body: { valid: true, user: shownUser(actor) } }
    const refreshable = await findRefreshable(system, readCookie(request, '__Host-refresh_token'))
    if (refreshable?.state === 'live') throw new Problem('not-signed-in', 'the access ran out')
    const wasOpen = readCookie(request, '__Host-session') !== undefined
    return {
      body: { valid: false, user: null },
      cookies: wasOpen ? [flash('session-expired')] : [],
    }
  },
})

export const getSession = defineCall({
  name: 'getSession',
  method: 'GET',
  template: '/auth/session',
  summary: 'Returns a live session of the user.',
  access: 'session',
  query: getSessionQuery,
  response: session,
  refusals: [404],
  async reply({ system, actor, query }) {
    const person = mustBeSignedIn(actor)
    const id = query.sessionId ?? person.sessionId
    const found = (await listOwnSessions(system, person)).find((one) => one.id === id)
    if (!found) throw new Problem('not-found', `${person.userId} has no session ${id}`)
    return { body: shownSession(found, person.sessionId) }
  },
})

export const listSessions = defineCall({
  name: 'listSessions',
  method: 'GET',
  template: '/auth/sessions',
  summary: 'Lists the user’s live sessions, newest first.',
  access: 'session',
  query: listSessionsQuery,
  response: listSessionsResponse,
  async reply({ system, actor, query: { limit, offset } }) {
    const { sessionId } = mustBeSignedIn(actor)
    const all = await listOwnSessions(system, actor)
    const page = all.slice(offset, offset + limit)
    const sessions = page.map((one) => shownSession(one, sessionId))
    return { body: { sessions, total: all.length, limit, offset } }
  },
})

export const terminateSession = defineCall({
  name: 'terminateSession',
  method: 'DELETE',
  template: '/auth/sessions/{sessionId}',
  summary: 'Ends a session of the user, including the current one.',
  access: 'session',
  path: sessionPath,
  refusals: [404],
  async reply({ system, actor, path: { sessionId } }) {
    await endSession(system, actor, { sessionId })
    const isHere = actor.kind === 'person' && actor.sessionId === sessionId
    return { body: undefined, cookies: isHere ? clearSessionCookies() : [] }
  },
})

export const terminateAllSessions = defineCall({
  name: 'terminateAllSessions',
  method: 'POST',
  template: '/auth/sessions/terminate-all',
  summary: 'Ends all sessions of the user except the current one.',
  access: 'session',
  request: terminateAllSessionsRequest,
  response: terminateAllSessionsResponse,
  async reply({ system, actor }) {
    return { body: { terminated: await endOtherSessions(system, actor) } }
  },
})

export const refreshToken = defineCall({
  name: 'refreshToken',
  method: 'POST',
  template: '/auth/refresh',
  summary: 'Exchanges the refresh token cookie for new token cookies.',
  access: 'everyone',
  exchange: 'always',
  request: refreshTokenRequest,
  response: refreshTokenResponse,
  refusals: [401],
  async reply({ system, actor }) {
    const person = mustBeSignedIn(actor)
    const own = await ownSession(system, person)
    return { body: { user: shownUser(person), session: shownSession(own, own.id) } }
  },
})

export const logout = defineCall({
  name: 'logout',
  method: 'POST',
  template: '/auth/logout',
  summary: 'Ends the session. Succeeds without a session too.',
  access: 'everyone',
  exchange: 'when-needed',
  request: logoutRequest,
  async reply({ system, actor }) {
    await signOut(system, actor)
    return {
      body: undefined,
      // The browser's next page shows the message.
      cookies: [...clearSessionCookies(), clearSignInCookie(), flash('signed-out')],
      headers: { 'Clear-Site-Data': '"cache", "storage"' },
    }
  },
})

/** Reads the session again after the call changed it. */
export async function ownSession(
  system: CallArgs<unknown, unknown, unknown>['system'],
  person: Person,
): Promise<Session> {
  const found = (await listOwnSessions(system, person)).find(({ id }) => id === person.sessionId)
  if (!found) throw new Problem('not-signed-in', `${person.sessionId} has just ended`)
  return found
}
