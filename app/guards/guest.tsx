import { Outlet, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readCookie } from '#app/http/cookies/cookies.ts'
import { redirectToSigningLink } from '#app/http/redirect-to-signing-link.ts'
import { readOwnRejection } from '#server/features/auth/guests/read-own-rejection.ts'
import type { Route } from './+types/guest'

/** The pages of a guest who has not accepted the aviso de privacidad: the aviso, and the documents to read. */
const READING =
  /^\/sign\/(?:privacy|documents(?:\/[^/]+(?:\/(?:text|verdict|pages\/[^/]+|download\/[^/]+))?)?)$/

/**
 * Redirects visitors without a valid signing link to the page that opens links, and guests who have not
 * accepted the aviso de privacidad from all pages but those to read to it.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }) => {
    const actor = context.get(actorContext)
    if (actor.kind !== 'guest') {
      const held = readCookie(request, '__Host-guest')
      const rejection = await readOwnRejection(context.get(systemContext), held)
      throw await redirectToSigningLink(request, rejection !== undefined)
    }
    if (actor.consentedAt === null && !READING.test(url.pathname))
      throw redirectDocument('/sign/documents', 303)
  },
]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
