import type { Actor } from '#server/domain/identity/actor.ts'
import { initials } from '#server/domain/identity/person-name.ts'

/** What the screens say of whoever is signed in; null for a stranger. */
export function shownPerson(actor: Actor) {
  if (actor.kind !== 'person') return null
  const { firstName, lastName, roles } = actor
  return { firstName, lastName, initials: initials(actor), roles }
}
