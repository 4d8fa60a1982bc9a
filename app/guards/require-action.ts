import { type MiddlewareFunction, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type Action, isAllowed } from '#server/domain/policy/authorize.ts'
import { recordRefusedPage } from '#server/features/auth/record-refused-page.ts'

/**
 * Returns a middleware that redirects users to the dashboard, which says why, if no role of theirs allows `action`. Each
 * refusal is one audit event: the use case records a form that it refuses, the guard everything else.
 * Place it below the guard `signed-in`, which redirects visitors to /login.
 *
 * @param record replaced in tests
 */
export function requireAction(
  action: Action,
  record = recordRefusedPage,
): MiddlewareFunction<Response> {
  return async ({ request, context }, next) => {
    const actor = context.get(actorContext)
    if (actor.kind !== 'person') throw redirectDocument('/dashboard')
    if (isAllowed(actor.roles, action)) return
    if (request.method === 'POST') {
      const answer = await next()
      if (answer.status === 403) return answer
    }
    // A form with invalid fields never reaches its use case; its page would be shown with the errors.
    await record(context.get(systemContext), actor, action)
    throw redirectDocument('/dashboard', {
      status: request.method === 'POST' ? 303 : 302,
      headers: { 'Set-Cookie': flash('page-not-allowed') },
    })
  }
}
