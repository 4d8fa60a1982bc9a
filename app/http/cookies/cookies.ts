import { z } from 'zod'

/*
 * Every cookie has the prefix `__Host-`: this host only, secure, every path. Browsers treat
 * http://localhost as secure. `csrftoken` and `refresh_token` keep the names of the specification: scripts
 * of our pages read them, and neither grants access.
 */
const COMMON = 'Path=/; Secure'

export type CookieName =
  | '__Host-session'
  | '__Host-refresh_token'
  | '__Host-sign-in'
  | '__Host-backup-codes'
  | '__Host-activation-link'
  | '__Host-access-token'
  | '__Host-calendar'
  | '__Host-theme'
  | '__Host-flash'
  | '__Host-batch'
  | '__Host-browser'
  | '__Host-guest'
  | '__Host-signing-link'
export type ReadableCookieName = 'csrftoken' | 'refresh_token'

/** Returns the value of a cookie, or undefined if it is missing or not in the form that we write. */
export function readCookie(
  request: Request,
  name: CookieName | ReadableCookieName,
): string | undefined {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return decoded(value)
  }
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** Returns a `Set-Cookie` value that scripts cannot read and other sites cannot send with a form. */
export function setCookie(name: CookieName, value: string, maxAgeSeconds?: number): string {
  return `${name}=${encodeURIComponent(value)}; ${COMMON}; HttpOnly; SameSite=Lax${age(maxAgeSeconds)}`
}

export const clearCookie = (name: CookieName) => setCookie(name, '', 0)

/**
 * Returns a `Set-Cookie` value that scripts of our pages can read and other sites cannot cause to be sent.
 */
export function setReadableCookie(
  name: ReadableCookieName,
  value: string,
  maxAgeSeconds?: number,
): string {
  return `${name}=${value}; ${COMMON}; SameSite=Strict${age(maxAgeSeconds)}`
}

const age = (seconds: number | undefined) => (seconds === undefined ? '' : `; Max-Age=${seconds}`)

/** Whether the response sets or clears the cookie. */
export function setsCookie(headers: Headers, name: CookieName | ReadableCookieName): boolean {
  return headers.getSetCookie().some((line) => line.startsWith(`${name}=`))
}

/** The theme of the interface; `system` follows the operating system. */
export const Theme = z.enum(['light', 'dark', 'system'])
export type Theme = z.infer<typeof Theme>

export function readTheme(request: Request): Theme {
  const parsed = Theme.safeParse(readCookie(request, '__Host-theme'))
  return parsed.success ? parsed.data : 'system'
}
