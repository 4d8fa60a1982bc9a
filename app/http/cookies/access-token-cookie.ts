import type { RouterContextProvider } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

/** Long enough for the redirect to the page that shows it. */
const KEPT_SECONDS = 120

/**
 * Returns a cookie that carries a new access token to the page that shows it once, sealed for this session.
 */
export function accessTokenCookie(context: Context, text: string): string {
  return setCookie('__Host-access-token', sealText(context, text, placeOf(context)), KEPT_SECONDS)
}

/** Returns the token, or undefined if there is none to show. */
export function readAccessTokenCookie(request: Request, context: Context): string | undefined {
  return openText(context, readCookie(request, '__Host-access-token'), placeOf(context))
}

export const clearAccessTokenCookie = () => clearCookie('__Host-access-token')

const placeOf = (context: Context) =>
  `cookie.access_token:${mustBeSignedIn(context.get(actorContext)).sessionId}`
