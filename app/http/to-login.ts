import { redirectDocument } from 'react-router'
import { readCookie } from './cookies.ts'
import { flash } from './flash.ts'

/** Leads a stranger to /login, and back to the page at `url` afterwards. */
export function toLogin(request: Request, url: URL): Response {
  const headers = new Headers()
  // The browser still had a session: it ran out or was ended, which is news.
  // The cookies stay: another tab may have got newer ones while this request was on its way.
  if (readCookie(request, '__Host-session')) headers.append('Set-Cookie', flash('session-expired'))
  const returnUrl = encodeURIComponent(url.pathname + url.search)
  return redirectDocument(`/login?returnUrl=${returnUrl}`, { headers })
}
