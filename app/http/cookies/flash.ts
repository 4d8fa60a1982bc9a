import { flashTexts } from '#app/messages/notices.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

export type FlashKey = keyof typeof flashTexts

/** A message for the next page: shown once, as an alert or, where scripts run, as a toast. */
export type Flash = {
  type: 'success' | 'warning' | 'error' | 'info'
  message: string
  /** Opaque; the form that undoes the action sends it. See `flashWithUndo`. */
  undo?: string
}

/** Between the key and the offer to undo. */
const MARK = '~'

/**
 * Returns a `Set-Cookie` value. The cookie holds a message key, not text, so a client cannot inject text.
 */
export const flash = (key: FlashKey, undo?: string) =>
  setCookie('__Host-flash', undo === undefined ? key : key + MARK + undo, 60)

export function readFlash(request: Request): Flash | null {
  const [key = '', undo] = (readCookie(request, '__Host-flash') ?? '').split(MARK)
  if (!Object.hasOwn(flashTexts, key)) return null
  const text = flashTexts[key as FlashKey]
  return undo === undefined ? text : { ...text, undo }
}

export const clearFlash = () => clearCookie('__Host-flash')
