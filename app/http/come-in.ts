import { type RouterContextProvider, redirectDocument } from 'react-router'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Duty } from '#server/domain/identity/actor.ts'
import { systemContext } from './context.ts'
import { safeReturnUrl } from './return-url.ts'
import { clearSignInCookie, sessionCookies } from './session-cookies.ts'

type Context = Readonly<RouterContextProvider>

/** Where a page of coming in leads in the end: the page that was wanted, if it is ours. */
export function wayOn(url: URL, context: Context, fallback = '/dashboard'): string {
  const { publicOrigin } = context.get(systemContext).settings
  return safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, fallback)
}

const DUTY_PAGES: Record<Duty, string> = {
  'change-password': '/change-password',
  'set-up-second-factor': '/setup-mfa',
}

/** The next page: what must be done first, or the one that was wanted. */
export function wayAfter(duty: Duty | null, wanted: string): string {
  return duty ? withReturnUrl(DUTY_PAGES[duty], wanted) : wanted
}

export const withReturnUrl = (path: string, wanted: string) =>
  `${path}?returnUrl=${encodeURIComponent(wanted)}`

/** The answer to whoever has just come in: the cookies of the new session, and the way on. */
export function cameIn(
  context: Context,
  came: { tokens: SessionTokens; duty: Duty | null },
  wanted: string,
) {
  const headers = new Headers()
  const now = context.get(systemContext).clock.now()
  for (const cookie of sessionCookies(came.tokens, now)) headers.append('Set-Cookie', cookie)
  headers.append('Set-Cookie', clearSignInCookie())
  return redirectDocument(wayAfter(came.duty, wanted), { status: 303, headers })
}

/** The cookies of a session whose tokens were replaced because its person proved who they are. */
export function renewed(context: Context, tokens: SessionTokens): Headers {
  const headers = new Headers()
  const now = context.get(systemContext).clock.now()
  for (const cookie of sessionCookies(tokens, now)) headers.append('Set-Cookie', cookie)
  return headers
}
