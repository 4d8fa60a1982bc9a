import type { Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import type { TestSystem } from '#tests/support/test-system.ts'
import { newSession } from './sessions.ts'

export type Member = {
  user: User
  /** How they ask, in a session of their own. */
  person: Person
  /** Opens that session, while it lives. */
  access: string
}

/** An office with two administrators and one clerk. */
export async function anOfficeWithStaff(system: TestSystem) {
  const office = await storedOffice(system.db)
  const admin = await aMember(system, office, ['ADMIN'], { firstName: 'Óscar', lastName: 'Méndez' })
  const second = await aMember(system, office, ['ADMIN', 'NOTARY'], { lastName: 'Núñez' })
  const clerk = await aMember(system, office, ['CLERK'], { firstName: 'Iván', lastName: 'Cruz' })
  return { office, admin, second, clerk }
}

export async function aMember(
  system: TestSystem,
  office: Office,
  roles: Role[] = ['CLERK'],
  changes: Parameters<typeof storedUser>[3] = {},
): Promise<Member> {
  const user = await storedUser(system.db, office, roles, changes)
  const { person, tokens } = await newSession(system, { user, office })
  return { user, person, access: tokens.access }
}

/** Returns a function that lists the events logged since this call, e.g. `user.suspended success`. */
export async function watchLog(system: TestSystem) {
  const from = (await system.log()).length
  return async () =>
    (await system.log()).slice(from).map(({ action, result }) => `${action} ${result}`)
}

/** The code of the refusal; `done` when there was none. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}
