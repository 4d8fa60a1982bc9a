import { redirectDocument } from 'react-router'
import { readCookie } from './cookies/cookies.ts'
import { flash } from './cookies/flash.ts'

/** Redirects to /login, and back to `url` after sign-in. */
export function redirectToLogin(request: Request, url: URL): Response {
  const headers = new Headers()
  // A leftover session cookie means that the session expired or was ended: show the message. Keep the
  // cookies: another tab may have renewed them while this request was in flight.
  if (readCookie(request, '__Host-session')) headers.append('Set-Cookie', flash('session-expired'))
  const returnUrl = encodeURIComponent(url.pathname + url.search)
  return redirectDocument(`/login?returnUrl=${returnUrl}`, { headers })
}
