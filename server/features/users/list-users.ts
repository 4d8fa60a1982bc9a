import { z } from 'zod'
import { listUsers as listUserRows } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { type User, UserState } from '#server/domain/identity/user.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListUsers = z.object({
  /** Part of the name, address or RFC; ignores accents and case. */
  text: z.string().trim().max(200).optional(),
  state: UserState.optional(),
})
export type ListUsers = z.infer<typeof ListUsers>

/** A user as shown to every colleague. */
export type Colleague = Pick<User, 'id' | 'firstName' | 'lastName' | 'roles'>

export type Users =
  | {
      reach: 'whole'
      users: User[]
      /** Counts per state of the whole office, ignoring the filter; empty states are absent. */
      counts: Partial<Record<UserState, number>>
    }
  /** Active users only. */
  | { reach: 'names'; users: Colleague[] }

/**
 * The users of the office by last name; the caller's roles decide how much is shown.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function listUsers(
  system: System,
  actor: Actor,
  { text = '', state }: ListUsers = {},
): Promise<Users> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'users.read-names', own, clock.now())
  const all = await listUserRows(db, person.officeId)
  if (!isAllowed(person.roles, 'users.read')) {
    const active = all.filter((user) => user.state === 'active').map(toColleague)
    return { reach: 'names', users: active.filter((user) => hasText(text, fullName(user))) }
  }
  const users = all
    .filter((user) => state === undefined || user.state === state)
    .filter((user) => hasText(text, `${fullName(user)} ${user.email} ${user.rfc}`))
  return { reach: 'whole', users, counts: countsOf(all) }
}

const hasText = (text: string, of: string) => searchable(of).includes(searchable(text))

function countsOf(users: readonly User[]): Partial<Record<UserState, number>> {
  const groups = Map.groupBy(users, ({ state }) => state)
  return Object.fromEntries([...groups].map(([state, { length }]) => [state, length]))
}

function toColleague({ id, firstName, lastName, roles }: User): Colleague {
  return { id, firstName, lastName, roles }
}
