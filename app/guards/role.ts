import { type MiddlewareFunction, redirectDocument } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import type { Role } from '#server/domain/identity/role.ts'

/**
 * A middleware that lets pass whoever has one of these roles, and sends everybody else to the dashboard.
 * It stands behind the guard `signed-in`, which sends strangers to /login; what may be done is decided by the
 * use case all the same.
 */
export function requireRoles(...roles: Role[]): MiddlewareFunction<Response> {
  return ({ context }) => {
    const actor = context.get(actorContext)
    const isAllowed = actor.kind === 'person' && actor.roles.some((role) => roles.includes(role))
    if (!isAllowed) throw redirectDocument('/dashboard')
  }
}
