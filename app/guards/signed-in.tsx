import { Outlet, redirectDocument } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { readCookie } from '#app/http/cookies.ts'
import { flash } from '#app/http/flash.ts'
import type { Route } from './+types/signed-in'

/** Sends whoever is not signed in to /login, and back here afterwards. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ request, context, url }) => {
    if (context.get(actorContext).kind === 'person') return
    const headers = new Headers()
    // The browser still had a session: it ran out or was ended, which is news.
    // The cookies stay: another tab may have got newer ones while this request was on its way.
    if (readCookie(request, '__Host-session'))
      headers.append('Set-Cookie', flash('session-expired'))
    const returnUrl = encodeURIComponent(url.pathname + url.search)
    throw redirectDocument(`/login?returnUrl=${returnUrl}`, { headers })
  },
]

/** Holds nothing. Without a loader the guard would not run when the browser navigates by itself. */
export function loader() {
  return null
}

export default Outlet
