import { Outlet, redirectDocument } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { toSigningLink } from '#app/http/to-signing-link.ts'
import type { Route } from './+types/guest'

/** The page on which one reads the aviso de privacidad and agrees to it. */
const CONSENT = /^\/sign\/(?:documents|privacy)$/

/**
 * Sends whoever came by no link, or by one that opens nothing any more, to the page that opens links; and
 * whoever has not agreed to the aviso de privacidad to it.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ request, context, url }) => {
    const actor = context.get(actorContext)
    if (actor.kind !== 'guest') throw toSigningLink(request)
    if (actor.consentedAt === null && !CONSENT.test(url.pathname))
      throw redirectDocument('/sign/documents', 303)
  },
]

/** Holds nothing. Without a loader the guard would not run when the browser navigates by itself. */
export function loader() {
  return null
}

export default Outlet
