import { randomUUID } from 'node:crypto'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { SessionId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { PEOPLE } from './people.ts'
import { STAFF } from './year/staff.ts'

/** A user of the demo office by slug, as if they had just signed in. */
export const actorFor = (system: System, users: readonly User[], slug: string): Person =>
  actorAs(system, userFor(users, slug))

export function actorAs(system: System, user: User): Person {
  return {
    kind: 'person',
    userId: user.id,
    officeId: user.officeId,
    sessionId: SessionId.parse(randomUUID()),
    roles: user.roles,
    firstName: user.firstName,
    lastName: user.lastName,
    rfc: user.rfc,
    ip: '127.0.0.1',
    device: 'Demostración',
    requestId: 'demo',
    browser: null,
    signedInAt: system.clock.now(),
    provenAt: system.clock.now(),
    secondFactorAt: null,
    duty: null,
  }
}

export function userFor(users: readonly User[], slug: string): User {
  const person = [...PEOPLE, ...STAFF].find((candidate) => candidate.slug === slug)
  const user = users.find(({ email }) => email === person?.email)
  if (!user) throw new Error(`the demo office has no ${slug}`)
  return user
}
