import { randomBytes } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { CSRF_RANDOM_BYTES, isCsrfTokenOf, makeCsrfToken } from '#server/domain/crypto/csrf.ts'
import { Problem } from '#server/domain/problem.ts'
import { actorContext, browserContext, systemContext } from './context.ts'

/** The hidden field that every form carries first. */
export const CSRF_FIELD = 'csrf'

/** A new token for the forms of this answer, bound to the session or, before there is one, to the browser. */
export function csrfTokenFor(context: Readonly<RouterContextProvider>): string {
  const { settings } = context.get(systemContext)
  return makeCsrfToken(settings.csrfKey, bearers(context)[0], randomBytes(CSRF_RANDOM_BYTES))
}

/**
 * Lets a change pass that comes from one of our own pages.
 *
 * @param token from the form, or undefined to take the header `X-CSRFToken`
 * @throws {Problem} `cross-site`
 */
export function mustBeOurForm(
  request: Request,
  context: Readonly<RouterContextProvider>,
  token: string | undefined,
): void {
  const { settings } = context.get(systemContext)
  const given = token ?? request.headers.get('X-CSRFToken') ?? ''
  // A form that was opened before signing in may be sent after it: its token names the browser.
  const isOurs = bearers(context).some((bearer) => isCsrfTokenOf(settings.csrfKey, bearer, given))
  if (!isOurs) throw new Problem('cross-site', 'no CSRF token of this session or browser')
}

function bearers(context: Readonly<RouterContextProvider>): [string, ...string[]] {
  const actor = context.get(actorContext)
  const browser = context.get(browserContext).id
  return actor.kind === 'person' ? [actor.sessionId, browser] : [browser]
}
