import { type MiddlewareFunction, redirectDocument } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import type { Role } from '#server/domain/identity/role.ts'

/**
 * A middleware that lets users with one of these roles pass and redirects all others to the dashboard. A form of
 * theirs reaches its action: the use case refuses it and writes the refusal into the log. It stands behind the
 * guard `signed-in`, which sends strangers to /login.
 */
export function requireRoles(...roles: Role[]): MiddlewareFunction<Response> {
  return async ({ request, context }, next) => {
    const actor = context.get(actorContext)
    if (actor.kind === 'person' && actor.roles.some((role) => roles.includes(role))) return
    if (actor.kind !== 'person' || request.method !== 'POST') throw redirectDocument('/dashboard')
    const answer = await next()
    // Fields that are wrong are judged before the role: the page that says so is not theirs to see.
    return answer.status === 403 ? answer : redirectDocument('/dashboard', 303)
  }
}
