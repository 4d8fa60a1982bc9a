import type { Actor, Person } from '../identity/actor.ts'
import type { Role } from '../identity/role.ts'
import type { OfficeId } from '../ids.ts'
import { Problem } from '../problem.ts'

const EVERYBODY = ['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR'] as const satisfies Role[]

/** Who may do what. This table is the whole of authorization; nothing else asks for a role. */
const RULES = {
  /** The log of the whole office; without it, what one did oneself. */
  'audit.read': ['ADMIN', 'NOTARY', 'AUDITOR'],
  'audit.read-own': EVERYBODY,
  'certificates.read': EVERYBODY,
  'document.cancel': ['NOTARY', 'LAWYER'],
  'document.read': EVERYBODY,
  'document.reject': ['NOTARY', 'LAWYER'],
  /** Also asked of whoever signs: the RFC of the e.firma is theirs. */
  'document.sign': ['NOTARY', 'LAWYER'],
  'document.upload': ['NOTARY', 'LAWYER', 'CLERK'],
  'office.manage': ['ADMIN'],
  'office.read': EVERYBODY,
  'sessions.end-own': EVERYBODY,
  'sessions.read-own': EVERYBODY,
  'users.manage': ['ADMIN'],
  /** With e-mail, RFC and state; without it, who works here and as what. */
  'users.read': ['ADMIN', 'NOTARY', 'AUDITOR'],
  'users.read-names': EVERYBODY,
} satisfies Record<string, readonly Role[]>

export type Action = keyof typeof RULES

/** Whether one of these roles allows it: pages leave out what would be refused. */
export function isAllowed(roles: readonly Role[], action: Action): boolean {
  const allowed: readonly Role[] = RULES[action]
  return roles.some((role) => allowed.includes(role))
}

/** The whole table, for the page that shows it. */
export function rolesAllowed(action: Action): readonly Role[] {
  return RULES[action]
}

export const ACTIONS = Object.keys(RULES) as readonly Action[]

/**
 * Lets the actor pass and returns the person who passed, or refuses.
 *
 * @throws {Problem} `not-signed-in` for a stranger; `forbidden` when no role fits; `not-found` when
 *   another office owns the resource (we do not tell that it exists)
 */
export function authorize(
  actor: Actor,
  action: Action,
  resource: { readonly officeId: OfficeId },
): Person {
  const person = mustBeSignedIn(actor)
  if (person.officeId !== resource.officeId)
    throw new Problem('not-found', `${action} on a resource of another office`)
  if (!isAllowed(person.roles, action))
    throw new Problem('forbidden', `no role of ${person.userId} allows ${action}`)
  return person
}

/** @throws {Problem} `not-signed-in` */
export function mustBeSignedIn(actor: Actor): Person {
  if (actor.kind !== 'person') throw new Problem('not-signed-in', 'a stranger asks')
  return actor
}
