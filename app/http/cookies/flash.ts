import { flashTexts } from '#app/messages/notices.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

export type FlashKey = keyof typeof flashTexts

/** A message for the next page: shown once, as an alert or, where scripts run, as a toast. */
export type Flash = { type: 'success' | 'warning' | 'error' | 'info'; message: string }

/**
 * Returns a `Set-Cookie` value. The cookie holds a message key, not text, so a client cannot inject text.
 */
export const flash = (key: FlashKey) => setCookie('__Host-flash', key, 60)

export function readFlash(request: Request): Flash | null {
  const key = readCookie(request, '__Host-flash')
  return key && Object.hasOwn(flashTexts, key) ? flashTexts[key as FlashKey] : null
}

export const clearFlash = () => clearCookie('__Host-flash')
