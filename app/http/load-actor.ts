import { randomUUID } from 'node:crypto'
import type { MiddlewareFunction, RouterContextProvider } from 'react-router'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor, Origin } from '#server/domain/identity/actor.ts'
import { deviceName } from '#server/domain/identity/device-name.ts'
import { refreshSession } from '#server/features/auth/refresh-session.ts'
import { resumeGuest } from '#server/features/auth/resume-guest.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import {
  actorContext,
  type Browser,
  browserContext,
  requestContext,
  systemContext,
} from './context.ts'
import { readCookie, setCookie, setsCookie } from './cookies.ts'
import { csrfCookieFor } from './csrf.ts'
import { sessionCookies } from './session-cookies.ts'

type Context = Readonly<RouterContextProvider>

const BROWSER_ID = /^[0-9a-f-]{36}$/
const BROWSER_SECONDS = 34_560_000

/** Where somebody who came by a link is a guest, and nobody else: also for whoever is signed in elsewhere. */
const GUEST_PAGES = /^\/sign(?:\/|$)/

/** What a page asks by itself, while nobody may be sitting there. */
const BACKGROUND_CALLS = ['/api/v1/auth/session/validate', '/api/v1/auth/health']

/**
 * Finds out who asks, for every route; whoever has no live session is anonymous. A page is never refused for
 * an old access token: the refresh token is exchanged on the way. A call of a program is, and refreshes.
 */
export const loadActor: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const browser = browserOf(request)
  context.set(browserContext, browser)
  const { actor, cookies } = await whoAsks(request, url, context, originOf(context, browser))
  context.set(actorContext, actor)

  const response = await next()
  const { headers } = response
  // An answer that begins, renews or ends a session knows better than what was there before.
  if (!setsCookie(headers, '__Host-session'))
    for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  if (browser.isNew)
    headers.append('Set-Cookie', setCookie('__Host-browser', browser.id, BROWSER_SECONDS))
  const csrf = await csrfCookieFor(request, context, headers)
  if (csrf) headers.append('Set-Cookie', csrf)
  // Pictures and downloads say for themselves how long a browser may keep them; the one of a guest may be
  // anybody's, and keeps nothing.
  const keepsNothing = actor.kind === 'guest' || !headers.has('Cache-Control')
  if (actor.kind !== 'anonymous' && keepsNothing) headers.set('Cache-Control', 'no-store')
  if (actor.kind === 'guest') headers.set('X-Robots-Tag', 'noindex')
  return response
}

async function whoAsks(
  request: Request,
  url: URL,
  context: Context,
  origin: Origin,
): Promise<{ actor: Actor; cookies: string[] }> {
  const system = context.get(systemContext)
  const held = GUEST_PAGES.test(url.pathname) && readCookie(request, '__Host-guest')
  const guest = held && (await resumeGuest(system, origin, held))
  if (guest) return { actor: guest, cookies: [] }

  const isPrefetch = request.headers.get('Sec-Purpose')?.includes('prefetch')
  const visit = isPrefetch || BACKGROUND_CALLS.includes(url.pathname) ? 'background' : 'activity'

  const access = readCookie(request, '__Host-session')
  const person = access && (await resumeSession(system, origin, access, visit))
  if (person) return { actor: person, cookies: [] }

  const refresh = readCookie(request, '__Host-refresh_token')
  if (refresh && !url.pathname.startsWith('/api/')) {
    const answer = await refreshSession(system, origin, refresh, visit)
    if (answer.kind === 'refreshed')
      return { actor: answer.person, cookies: sessionCookies(answer.tokens, system.clock.now()) }
  }
  return { actor: { kind: 'anonymous', ...origin }, cookies: [] }
}

function browserOf(request: Request): Browser {
  const known = readCookie(request, '__Host-browser')
  return known && BROWSER_ID.test(known)
    ? { id: known, isNew: false }
    : { id: randomUUID(), isNew: true }
}

/** A name that was given just now is no name yet: who keeps no cookies never has one. */
function originOf(context: Context, browser: Browser): Origin {
  const { ip, userAgent, id } = context.get(requestContext)
  return {
    ip,
    device: deviceName(userAgent),
    requestId: id,
    browser: browser.isNew ? null : sha256(browser.id),
  }
}
