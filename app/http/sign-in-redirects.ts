import { type RouterContextProvider, redirectDocument } from 'react-router'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Duty } from '#server/domain/identity/actor.ts'
import type { FirstFactorOutcome } from '#server/features/auth/complete-first-factor.ts'
import { systemContext } from './context.ts'
import { clearSignInCookie, sessionCookies, signInCookie } from './cookies/session-cookies.ts'
import { safeReturnUrl } from './return-url.ts'

type Context = Readonly<RouterContextProvider>

/** Returns the path to open after sign-in: the `returnUrl` of the query if it is ours. */
export function returnPathOf(url: URL, context: Context, fallback = '/dashboard'): string {
  const { publicOrigin } = context.get(systemContext).settings
  return safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, fallback)
}

export const withReturnUrl = (path: string, returnTo: string) =>
  `${path}?returnUrl=${encodeURIComponent(returnTo)}`

const DUTY_PAGES: Record<Duty, string> = {
  'change-password': '/change-password',
  'set-up-second-factor': '/setup-mfa',
}

/** Returns the page of the user's duty, or `returnTo` without one. */
export const pathAfterDuty = (duty: Duty | null, returnTo: string) =>
  duty ? withReturnUrl(DUTY_PAGES[duty], returnTo) : returnTo

/**
 * Responds to a successful first factor: redirects to the second factor, or starts the session and
 * redirects to `returnTo`.
 */
export function signInRedirect(
  context: Context,
  outcome: FirstFactorOutcome | { kind: 'signed-in'; tokens: SessionTokens; duty: Duty | null },
  returnTo: string,
) {
  if (outcome.kind === 'second-factor-next')
    return redirectDocument(withReturnUrl('/mfa', returnTo), {
      status: 303,
      headers: { 'Set-Cookie': signInCookie(outcome.token) },
    })
  const headers = sessionHeaders(context, outcome.tokens)
  headers.append('Set-Cookie', clearSignInCookie())
  return redirectDocument(pathAfterDuty(outcome.duty, returnTo), { status: 303, headers })
}

/** Returns headers that set the session's new tokens. */
export function sessionHeaders(context: Context, tokens: SessionTokens): Headers {
  const headers = new Headers()
  const now = context.get(systemContext).clock.now()
  for (const cookie of sessionCookies(tokens, now)) headers.append('Set-Cookie', cookie)
  return headers
}
