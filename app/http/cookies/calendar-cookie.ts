import type { RouterContextProvider } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough for the redirect to the page that shows it. */
const KEPT_SECONDS = 120

/** Returns a cookie that carries the secret of a new calendar to the page that shows it once, sealed for this session. */
export const calendarCookie = (context: Context, secret: string): string =>
  setCookie('__Host-calendar', sealText(context, secret, placeOf(context)), KEPT_SECONDS)

/** Returns the secret, or undefined if there is none to show. */
export const readCalendarCookie = (request: Request, context: Context): string | undefined =>
  openText(context, readCookie(request, '__Host-calendar'), placeOf(context))

export const clearCalendarCookie = () => clearCookie('__Host-calendar')

const placeOf = (context: Context) =>
  `cookie.calendar:${mustBeSignedIn(context.get(actorContext)).sessionId}`
