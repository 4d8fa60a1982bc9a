import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Random bytes per token, so that tokens differ (against compression side channels). */
export const CSRF_RANDOM_BYTES = 16

/**
 * A CSRF token for one session or one anonymous browser: `random.hmac`, both base64url.
 *
 * @param key 32 bytes that never leave the server; a KeyObject is set up once instead of per page
 * @param bearer id of the session, or of the browser before it has one
 * @see OWASP Cross-Site Request Forgery Prevention, "Signed Double-Submit Cookie"
 */
export function makeCsrfToken(key: KeyObject, bearer: string, random: Uint8Array): string {
  if (random.length !== CSRF_RANDOM_BYTES)
    throw new RangeError(`a CSRF token wants ${CSRF_RANDOM_BYTES} random bytes`)
  const text = Buffer.from(random).toString('base64url')
  return `${text}.${authenticate(key, bearer, text).toString('base64url')}`
}

/** Whether `token` was made for this bearer with this key, in constant time. */
export function isCsrfTokenOf(key: KeyObject, bearer: string, token: string): boolean {
  const [, random, code] = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  if (random === undefined || code === undefined) return false
  return timingSafeEqual(Buffer.from(code, 'base64url'), authenticate(key, bearer, random))
}

function authenticate(key: KeyObject, bearer: string, random: string): Buffer {
  // The length prefix distinguishes "ab" + "c" from "a" + "bc".
  return createHmac('sha256', key).update(`${bearer.length}!${bearer}!${random}`).digest()
}
