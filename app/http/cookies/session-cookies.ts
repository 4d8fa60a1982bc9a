import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import { KEPT_FORM_LIFETIME } from '#server/domain/identity/kept-form.ts'
import { after, hours, type Instant } from '#server/domain/time.ts'
import { clearCookie, setCookie, setReadableCookie } from './cookies.ts'

/** Outlives a pending sign-in: /login uses an expired one to fill in the address. */
const SIGN_IN_SECONDS = hours(1) / 1000

/**
 * Returns the `Set-Cookie` values of the session's newest tokens, and the marker that scripts read. They outlive the
 * session, and open nothing then: they say whose form it is that comes too late.
 */
export function sessionCookies(tokens: SessionTokens, now: Instant): string[] {
  const end = after(tokens.expiresAt, KEPT_FORM_LIFETIME)
  const seconds = Math.max(0, Math.floor((end - now) / 1000))
  return [
    setCookie('__Host-session', tokens.access, seconds),
    setCookie('__Host-refresh_token', tokens.refresh, seconds),
    setReadableCookie('refresh_token', '1', seconds),
  ]
}

/** Use at sign-out only: a late response of an old session must not clear a newer one. */
export function clearSessionCookies(): string[] {
  return [
    clearCookie('__Host-session'),
    clearCookie('__Host-refresh_token'),
    setReadableCookie('refresh_token', '', 0),
  ]
}

/** Valid between the password and the second factor, for /mfa only. */
export const signInCookie = (token: Token) => setCookie('__Host-sign-in', token, SIGN_IN_SECONDS)

export const clearSignInCookie = () => clearCookie('__Host-sign-in')
