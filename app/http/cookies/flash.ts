import { flashTexts, numberTexts } from '#app/messages/notices.ts'
import { numberText } from '#server/domain/documents/numbers/series-number.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

export type FlashKey = keyof typeof flashTexts
export type NumberFlashKey = keyof typeof numberTexts

/** A message for the next page: shown once, as an alert or, where scripts run, as a toast. */
export type Flash = {
  type: 'success' | 'warning' | 'error' | 'info'
  message: string
  /** Opaque; the form that undoes the action sends it. See `flashWithUndo`. */
  undo?: string
}

/** Between the key and the offer to undo, or the number. */
const MARK = '~'

/**
 * Returns a `Set-Cookie` value. The cookie holds a message key, not text, so a client cannot inject text.
 */
export const flash = (key: FlashKey, undo?: string) =>
  setCookie('__Host-flash', undo === undefined ? key : key + MARK + undo, 60)

/** Like `flash`, for a message that says a number. The cookie holds the digits alone. */
export const flashOfNumber = (key: NumberFlashKey, number: number) =>
  setCookie('__Host-flash', key + MARK + number, 60)

export function readFlash(request: Request): Flash | null {
  const [key = '', more] = (readCookie(request, '__Host-flash') ?? '').split(MARK)
  if (Object.hasOwn(numberTexts, key))
    return /^\d{1,8}$/.test(more ?? '')
      ? numberTexts[key as NumberFlashKey](numberText(Number(more)))
      : null
  if (!Object.hasOwn(flashTexts, key)) return null
  const text = flashTexts[key as FlashKey]
  return more === undefined ? text : { ...text, undo: more }
}

export const clearFlash = () => clearCookie('__Host-flash')
