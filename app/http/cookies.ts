import { z } from 'zod'

/*
 * Every cookie carries `__Host-`: this host alone, only over a safe connection, for every path. Browsers
 * take http://localhost for safe. `csrftoken` and `refresh_token` keep the names that the specification
 * gives them: scripts of our pages read them, and neither opens anything by itself.
 */
const COMMON = 'Path=/; Secure'

export type CookieName =
  | '__Host-session'
  | '__Host-refresh_token'
  | '__Host-sign-in'
  | '__Host-backup-codes'
  | '__Host-activation-link'
  | '__Host-access-token'
  | '__Host-theme'
  | '__Host-flash'
  | '__Host-batch'
  | '__Host-browser'
  | '__Host-guest'
  | '__Host-signing-link'
export type ReadableCookieName = 'csrftoken' | 'refresh_token'

/** The value of a cookie; undefined also for one that we never wrote like this. */
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

/** A `Set-Cookie` value that scripts cannot read and other sites cannot send with a form. */
export function setCookie(name: CookieName, value: string, maxAgeSeconds?: number): string {
  return `${name}=${encodeURIComponent(value)}; ${COMMON}; HttpOnly; SameSite=Lax${age(maxAgeSeconds)}`
}

export const clearCookie = (name: CookieName) => setCookie(name, '', 0)

/** A `Set-Cookie` value that scripts of our pages read and no other site can cause to be sent. */
export function setReadableCookie(
  name: ReadableCookieName,
  value: string,
  maxAgeSeconds?: number,
): string {
  return `${name}=${value}; ${COMMON}; SameSite=Strict${age(maxAgeSeconds)}`
}

const age = (seconds: number | undefined) => (seconds === undefined ? '' : `; Max-Age=${seconds}`)

/** Whether an answer gives this cookie a value, or takes it away. */
export function setsCookie(headers: Headers, name: CookieName | ReadableCookieName): boolean {
  return headers.getSetCookie().some((line) => line.startsWith(`${name}=`))
}

/** The theme of the interface; `system` follows the machine. */
export const Theme = z.enum(['light', 'dark', 'system'])
export type Theme = z.infer<typeof Theme>

export function readTheme(request: Request): Theme {
  const parsed = Theme.safeParse(readCookie(request, '__Host-theme'))
  return parsed.success ? parsed.data : 'system'
}
