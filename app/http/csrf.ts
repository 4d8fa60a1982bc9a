import { randomBytes } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { CSRF_RANDOM_BYTES, isCsrfTokenOf, makeCsrfToken } from '#server/domain/crypto/csrf.ts'
import { Problem } from '#server/domain/problem.ts'
import { findRefreshable } from '#server/features/auth/find-refreshable.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { actorContext, browserContext, systemContext } from './context.ts'
import { readCookie, setReadableCookie, setsCookie } from './cookies/cookies.ts'

type Context = Readonly<RouterContextProvider>

/** Name of the hidden first field of every form. */
export const CSRF_FIELD = 'csrf'

/** Forms that work without a session: one opened before sign-in may be sent after it. */
const ANONYMOUS_FORMS = [
  '/login',
  '/logout',
  '/theme',
  '/verify/document',
  '/verify/document/registered',
  '/verify/document/report.json',
  '/verify/document/report.pdf',
  '/verify/document/signed.pdf',
  '/mfa',
  '/activate',
  '/sign',
  '/activate/installation',
  '/password-strength',
]

/**
 * The token for the forms of this page; empty for a stranger on a page whose forms need none, so that reading it sets no
 * cookie.
 */
export function csrfTokenOfPage(path: string, context: Context): string {
  const isStranger = context.get(actorContext).kind === 'anonymous'
  return isStranger && !ANONYMOUS_FORMS.includes(path) ? '' : csrfTokenFor(context)
}

/** Whether this response has a form with a token: only then its browser needs the cookies that go with it. */
export const hasCsrfToken = (context: Context): boolean => madeTokens.has(context)

/**
 * Returns a token for the forms of this response, bound to the session, to the guest's signing link or,
 * without either, to the browser.
 */
export function csrfTokenFor(context: Context): string {
  return tokenOf(context, bearerOf(context))
}

/**
 * Lets a request pass that comes from one of our own pages.
 *
 * @param token from the form; undefined to use the header `X-CSRFToken`
 * @throws {Problem} `cross-site`
 */
export function mustBeOurForm(request: Request, context: Context, token: string | undefined): void {
  const { settings } = context.get(systemContext)
  const given = token ?? request.headers.get('X-CSRFToken') ?? ''
  const path = new URL(request.url).pathname.replace(/\.data$/, '')
  const bearers = [
    bearerOf(context),
    ...(ANONYMOUS_FORMS.includes(path) ? [context.get(browserContext).id] : []),
  ]
  const isOurs = bearers.some((bearer) => isCsrfTokenOf(settings.csrfKey, bearer, given))
  if (given === '' && isHarmless(request, context, path)) return
  if (!isOurs) throw new Problem('cross-site', 'no CSRF token of this session or browser')
}

/**
 * Without a session the theme is a choice of this browser alone, on pages that set no cookie: that the form comes from our
 * origin is proof enough. Browsers say so in each POST, and no other site can.
 */
function isHarmless({ headers }: Request, context: Context, path: string): boolean {
  if (path !== '/theme' || context.get(actorContext).kind !== 'anonymous') return false
  const { publicOrigin } = context.get(systemContext).settings
  return headers.get('Origin') === publicOrigin || headers.get('Sec-Fetch-Site') === 'same-origin'
}

/**
 * Returns a new `csrftoken` cookie for scripts if the browser's own does not match its session after this
 * response; undefined otherwise.
 *
 * @param headers of the response, which may start or end a session
 */
export async function csrfCookieFor(
  request: Request,
  context: Context,
  headers: Headers,
): Promise<string | undefined> {
  // Guest pages have no script that reads it, and setting it would break a session in the same browser.
  if (context.get(actorContext).kind === 'guest') return undefined
  const { settings } = context.get(systemContext)
  const bearer = setsCookie(headers, '__Host-session')
    ? await bearerAfterResponse(context, headers)
    : ((await refreshableSession(request, context)) ?? bearerOf(context))
  const known = readCookie(request, 'csrftoken') ?? ''
  if (isCsrfTokenOf(settings.csrfKey, bearer, known)) return undefined
  return setReadableCookie('csrftoken', tokenOf(context, bearer))
}

function bearerOf(context: Context): string {
  const actor = context.get(actorContext)
  switch (actor.kind) {
    case 'person':
      return actor.sessionId
    case 'guest':
      return actor.linkId
    case 'anonymous':
      return context.get(browserContext).id
  }
}

/**
 * Returns the session of a client whose access token has expired. The client is anonymous until it
 * refreshes, but its other requests may already use the session's cookie.
 */
async function refreshableSession(request: Request, context: Context): Promise<string | undefined> {
  const refresh = readCookie(request, '__Host-refresh_token')
  if (!refresh || context.get(actorContext).kind === 'person') return undefined
  const found = await findRefreshable(context.get(systemContext), refresh)
  return found?.state === 'live' ? found.sessionId : undefined
}

/** Returns the session that the response starts, or the browser id if it ends one. */
async function bearerAfterResponse(context: Context, headers: Headers): Promise<string> {
  const lines = headers.getSetCookie()
  const token = /^__Host-session=([^;]*)/.exec(
    lines.findLast((line) => line.startsWith('__Host-session=')) ?? '',
  )?.[1]
  const actor = context.get(actorContext)
  const person = token && (await resumeSession(context.get(systemContext), actor, token, 'passive'))
  return person ? person.sessionId : context.get(browserContext).id
}

/** Returns one token per response and bearer: forms and cookie may share it. */
function tokenOf(context: Context, bearer: string): string {
  const made = madeTokens.get(context)
  if (made?.bearer === bearer) return made.token
  const { settings } = context.get(systemContext)
  const token = makeCsrfToken(settings.csrfKey, bearer, randomBytes(CSRF_RANDOM_BYTES))
  madeTokens.set(context, { bearer, token })
  return token
}

const madeTokens = new WeakMap<Context, { bearer: string; token: string }>()
