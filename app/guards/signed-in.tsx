import { Outlet, redirectDocument } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { redirectToLogin } from '#app/http/redirect-to-login.ts'
import { pathAfterDuty } from '#app/http/sign-in-redirects.ts'
import type { Route } from './+types/signed-in'

/** Redirects visitors to /login and users with a duty to its page; both return here afterwards. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }) => {
    const actor = context.get(actorContext)
    if (actor.kind !== 'person') throw await redirectToLogin({ request, context, url })
    if (actor.duty) throw redirectDocument(pathAfterDuty(actor.duty, url.pathname + url.search))
  },
]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
