import { Outlet } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { toLogin } from '#app/http/to-login.ts'
import type { Route } from './+types/with-duty'

/**
 * Like `signed-in`, for the pages on which people do what comes before anything else: a new password, a
 * second factor.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ request, context, url }) => {
    if (context.get(actorContext).kind !== 'person') throw toLogin(request, url)
  },
]

/** Holds nothing. Without a loader the guard would not run when the browser navigates by itself. */
export function loader() {
  return null
}

export default Outlet
