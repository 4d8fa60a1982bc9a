import { randomUUID } from 'node:crypto'
import type { MiddlewareFunction, RouterContextProvider } from 'react-router'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor, Origin } from '#server/domain/identity/actor.ts'
import { deviceName } from '#server/domain/identity/device-name.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { refreshSession } from '#server/features/auth/refresh-session.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import {
  actorContext,
  type Browser,
  browserContext,
  requestContext,
  systemContext,
} from './context.ts'
import { readCookie, setCookie, setsCookie } from './cookies/cookies.ts'
import { sessionCookies } from './cookies/session-cookies.ts'
import { csrfCookieFor, hasCsrfToken } from './csrf.ts'
import { orErrorPage } from './problems.ts'

type Context = Readonly<RouterContextProvider>

const BROWSER_ID = /^[0-9a-f-]{36}$/
const BROWSER_SECONDS = 34_560_000

/** Paths where the holder of a signing link acts as a guest, even if the browser also has a session. */
const GUEST_PAGES = /^\/sign(?:\/|$)/

/** Requests that a page sends without user activity. */
const BACKGROUND_CALLS = [
  '/api/v1/auth/session/validate',
  '/api/v1/auth/health',
  '/dashboard/audit/nuevos',
]

/**
 * Sets the actor of every request; without a live session it is anonymous. Page requests with an expired
 * access token refresh it on the way; API clients must refresh it themselves.
 */
export const loadActor: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const browser = browserOf(request)
  context.set(browserContext, browser)
  const found = findActor(request, url, context, originOf(context, browser))
  // Without room on the disk a session cannot be refreshed.
  const { actor, cookies } = await orErrorPage(found)
  context.set(actorContext, actor)

  const response = await next()
  const { headers } = response
  // If the response starts, renews or ends a session, its cookies win over the refreshed ones.
  if (!setsCookie(headers, '__Host-session'))
    for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  if (needsBrowser(url, context, headers)) {
    if (browser.isNew)
      headers.append('Set-Cookie', setCookie('__Host-browser', browser.id, BROWSER_SECONDS))
    const csrf = await csrfCookieFor(request, context, headers)
    if (csrf) headers.append('Set-Cookie', csrf)
  }
  setCaching(headers, actor)
  if (actor.kind === 'guest') headers.set('X-Robots-Tag', 'noindex')
  return response
}

/** Cookies that let a browser go on where it is. */
const BROWSER_COOKIES = [
  '__Host-session',
  '__Host-sign-in',
  '__Host-guest',
  '__Host-signing-link',
] as const

/** Whether the browser needs its cookie after this response; a stranger who only reads gets none. */
const needsBrowser = ({ pathname }: URL, context: Context, headers: Headers): boolean =>
  context.get(actorContext).kind !== 'anonymous' ||
  pathname.startsWith('/api/') ||
  hasCsrfToken(context) ||
  BROWSER_COOKIES.some((name) => setsCookie(headers, name))

/**
 * No cache between us and a browser may store a page: each has a nonce of its own, and many are for one person. The browser
 * may keep a stranger's page for the back button, and asks before it shows it.
 */
function setCaching(headers: Headers, actor: Actor): void {
  if (actor.kind === 'anonymous') {
    const isOwn = headers.getSetCookie().length > 0
    if (isOwn) headers.set('Cache-Control', 'no-store')
    else if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache')
    headers.append('Vary', 'Cookie')
    return
  }
  // Pictures and downloads set their own `Cache-Control`. Guests may use a shared device: cache nothing.
  if (actor.kind === 'guest' || !headers.has('Cache-Control'))
    headers.set('Cache-Control', 'no-store')
}

async function findActor(
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

/** A new browser id does not count yet: a client without cookies never has one. */
function originOf(context: Context, browser: Browser): Origin {
  const { ip, userAgent, id } = context.get(requestContext)
  return {
    ip,
    device: deviceName(userAgent),
    requestId: id,
    browser: browser.isNew ? null : sha256(browser.id),
  }
}
