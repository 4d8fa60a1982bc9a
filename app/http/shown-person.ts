import type { Actor } from '#server/domain/identity/actor.ts'
import { initials } from '#server/domain/identity/person-name.ts'

/** The signed-in user as pages show them; null without a session. */
export function shownPerson(actor: Actor) {
  if (actor.kind !== 'person') return null
  const { firstName, lastName, roles } = actor
  return { firstName, lastName, initials: initials(actor), roles }
}
