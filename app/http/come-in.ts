import { type RouterContextProvider, redirectDocument } from 'react-router'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Duty } from '#server/domain/identity/actor.ts'
import type { CameIn } from '#server/features/auth/come-in.ts'
import { systemContext } from './context.ts'
import { safeReturnUrl } from './return-url.ts'
import { clearSignInCookie, sessionCookies, signInCookie } from './session-cookies.ts'

type Context = Readonly<RouterContextProvider>

/** Where a page of coming in leads in the end: the page that was wanted, if it is ours. */
export function wayOn(url: URL, context: Context, fallback = '/dashboard'): string {
  const { publicOrigin } = context.get(systemContext).settings
  return safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, fallback)
}

export const withReturnUrl = (path: string, wanted: string) =>
  `${path}?returnUrl=${encodeURIComponent(wanted)}`

const DUTY_PAGES: Record<Duty, string> = {
  'change-password': '/change-password',
  'set-up-second-factor': '/setup-mfa',
}

/** The next page: what must be done first, or the one that was wanted. */
export const wayAfter = (duty: Duty | null, wanted: string) =>
  duty ? withReturnUrl(DUTY_PAGES[duty], wanted) : wanted

/** The answer to whoever proved who they are: on to the second factor, or in, with what belongs to it. */
export function cameIn(
  context: Context,
  came: CameIn | { kind: 'signed-in'; tokens: SessionTokens; duty: Duty | null },
  wanted: string,
) {
  if (came.kind === 'second-factor-next')
    return redirectDocument(withReturnUrl('/mfa', wanted), {
      status: 303,
      headers: { 'Set-Cookie': signInCookie(came.token) },
    })
  const headers = renewed(context, came.tokens)
  headers.append('Set-Cookie', clearSignInCookie())
  return redirectDocument(wayAfter(came.duty, wanted), { status: 303, headers })
}

/** The cookies of a session whose tokens are new, because its person proved who they are. */
export function renewed(context: Context, tokens: SessionTokens): Headers {
  const headers = new Headers()
  const now = context.get(systemContext).clock.now()
  for (const cookie of sessionCookies(tokens, now)) headers.append('Set-Cookie', cookie)
  return headers
}
