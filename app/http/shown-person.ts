import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName, initials } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'

/** The signed-in user as pages show them; null without a session. */
export function shownPerson(actor: Actor) {
  if (actor.kind !== 'person') return null
  const { firstName, lastName, roles } = actor
  return { firstName, lastName, initials: initials(actor), roles }
}

type Named = Pick<User, 'id' | 'firstName' | 'lastName' | 'email'>

export type PersonChoice = { value: string; label: string }

/** Users for a list to choose from: their names, with the e-mail address where several have the same name. */
export function peopleChoices(users: readonly Named[]): PersonChoice[] {
  const sharing = Map.groupBy(users, fullName)
  return users.map((user) => {
    const name = fullName(user)
    const isShared = (sharing.get(name)?.length ?? 0) > 1
    return { value: user.id, label: isShared ? `${name} (${user.email})` : name }
  })
}
