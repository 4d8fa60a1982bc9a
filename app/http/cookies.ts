import { z } from 'zod'

/*
 * Every cookie carries `__Host-`: this host alone, only over a safe connection, for every path. Browsers
 * take http://localhost for safe. `csrftoken` keeps the name that the specification gives it.
 */
const COMMON = 'Path=/; Secure'

export type CookieName = '__Host-session' | '__Host-theme' | '__Host-flash' | '__Host-browser'

/** The value of a cookie; undefined also for one that we never wrote like this. */
export function readCookie(request: Request, name: CookieName): string | undefined {
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
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${encodeURIComponent(value)}; ${COMMON}; HttpOnly; SameSite=Lax${age}`
}

export const clearCookie = (name: CookieName) => setCookie(name, '', 0)

/** The theme of the interface; `system` follows the machine. */
export const Theme = z.enum(['light', 'dark', 'system'])
export type Theme = z.infer<typeof Theme>

export function readTheme(request: Request): Theme {
  const parsed = Theme.safeParse(readCookie(request, '__Host-theme'))
  return parsed.success ? parsed.data : 'system'
}
