import { Outlet, redirectDocument } from 'react-router'
import { wayAfter } from '#app/http/come-in.ts'
import { actorContext } from '#app/http/context.ts'
import { toLogin } from '#app/http/to-login.ts'
import type { Route } from './+types/signed-in'

/**
 * Sends whoever is not signed in to /login, and whoever must do something first to do it; back here
 * afterwards.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ request, context, url }) => {
    const actor = context.get(actorContext)
    if (actor.kind !== 'person') throw toLogin(request, url)
    if (actor.duty) throw redirectDocument(wayAfter(actor.duty, url.pathname + url.search))
  },
]

/** Holds nothing. Without a loader the guard would not run when the browser navigates by itself. */
export function loader() {
  return null
}

export default Outlet
