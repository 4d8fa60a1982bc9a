import { Outlet, redirectDocument } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { redirectToLogin } from '#app/http/redirect-to-login.ts'
import { pathAfterDuty } from '#app/http/sign-in-redirects.ts'
import type { Route } from './+types/with-duty'

/** Like `signed-in`, for the pages of the duties: a new password, a second factor. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }) => {
    const actor = context.get(actorContext)
    if (actor.kind !== 'person') throw await redirectToLogin({ request, context, url })
    // The password comes before the second factor.
    if (actor.duty === 'change-password' && url.pathname.startsWith('/setup-mfa'))
      throw redirectDocument(pathAfterDuty(actor.duty, url.pathname + url.search))
  },
]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
