import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import { hours, type Instant } from '#server/domain/time.ts'
import { clearCookie, setCookie, setReadableCookie } from './cookies.ts'

/** Longer than a pending sign-in waits: by one that is over /login knows the address that was typed. */
const SIGN_IN_SECONDS = hours(1) / 1000

/** The `Set-Cookie` values of a session's newest tokens, and the marker that says that there are some. */
export function sessionCookies(tokens: SessionTokens, now: Instant): string[] {
  const seconds = Math.max(0, Math.floor((tokens.expiresAt - now) / 1000))
  return [
    setCookie('__Host-session', tokens.access, seconds),
    setCookie('__Host-refresh_token', tokens.refresh, seconds),
    setReadableCookie('refresh_token', '1', seconds),
  ]
}

/** Only for whoever signs out: a late answer of an old session must not take away a newer one. */
export function clearSessionCookies(): string[] {
  return [
    clearCookie('__Host-session'),
    clearCookie('__Host-refresh_token'),
    setReadableCookie('refresh_token', '', 0),
  ]
}

/** Between the password and the second factor: opens nothing but /mfa. */
export const signInCookie = (token: Token) => setCookie('__Host-sign-in', token, SIGN_IN_SECONDS)

export const clearSignInCookie = () => clearCookie('__Host-sign-in')
