import { z } from 'zod'
import { listUsers as listUserRows } from '#server/db/people/users.ts'
import { listLockedAccounts } from '#server/db/sign-ins/attempts.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { lockingCounts } from '#server/domain/identity/attempts/account-lock.ts'
import { throttledAccounts } from '#server/domain/identity/attempts/throttle-keys.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { type User, UserState } from '#server/domain/identity/user.ts'
import type { UserId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListUsers = z.object({
  /** Part of the name, address or RFC; ignores accents and case. */
  text: z.string().trim().max(200).optional(),
  state: UserState.optional(),
})
export type ListUsers = z.infer<typeof ListUsers>

/** A user as shown to every colleague. */
export type Colleague = Pick<User, 'id' | 'firstName' | 'lastName' | 'roles' | 'capacity'>

export type Users =
  | {
      reach: 'whole'
      users: User[]
      /** Counts per state of the whole office, ignoring the filter; empty states are absent. */
      counts: Partial<Record<UserState, number>>
      /** Those locked after failed attempts; empty for callers who may not see how others sign in. */
      locked: ReadonlySet<UserId>
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
  const isShown = isAllowed(person.roles, 'users.read-access')
  const locked = await lockedOf(db, isShown ? users : [], clock.now())
  return { reach: 'whole', users, counts: countsOf(all), locked }
}

/** One query for all rows. */
async function lockedOf(db: Reader, users: readonly User[], at: Instant): Promise<Set<UserId>> {
  const accounts = users.flatMap((user) => throttledAccounts.of(user))
  const locked = await listLockedAccounts(db, accounts, at, lockingCounts(at))
  const ofUser = (user: User) => throttledAccounts.of(user).some((account) => locked.has(account))
  return new Set(users.filter(ofUser).map(({ id }) => id))
}

const hasText = (text: string, of: string) => searchable(of).includes(searchable(text))

function countsOf(users: readonly User[]): Partial<Record<UserState, number>> {
  const groups = Map.groupBy(users, ({ state }) => state)
  return Object.fromEntries([...groups].map(([state, { length }]) => [state, length]))
}

function toColleague({ id, firstName, lastName, roles, capacity }: User): Colleague {
  return { id, firstName, lastName, roles, capacity }
}
