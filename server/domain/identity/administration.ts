import type { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Person } from './actor.ts'
import type { User, UserState } from './user.ts'

/** Whether the user is an active administrator; invited and suspended ones are not. */
export const isActiveAdministrator = ({ state, roles }: Pick<User, 'state' | 'roles'>) =>
  state === 'active' && roles.includes('ADMIN')

/** @throws {Problem} `second-person-needed` if the administrator acts on their own account */
export function mustNotBeSelf(person: Person, userId: UserId, what: string): void {
  if (person.userId === userId)
    throw new Problem('second-person-needed', `${userId} may not ${what} themselves`)
}

/**
 * @param administrators the active ones of the office
 * @throws {Problem} `last-administrator` when the office would have none left
 */
export function mustLeaveAdministrator(administrators: readonly UserId[], without: UserId): void {
  if (!administrators.some((id) => id !== without))
    throw new Problem('last-administrator', `${without} is the last active administrator`)
}

/** @throws {Problem} `account-state` */
export function mustBeIn(user: User, ...states: UserState[]): void {
  if (!states.includes(user.state))
    throw new Problem('account-state', `${user.id} is ${user.state}, not ${states.join(' or ')}`)
}

/** The state of a user after a suspension: `invited` if they never chose a password. */
export function stateOnReturn({ passwordChangedAt }: Pick<User, 'passwordChangedAt'>): UserState {
  return passwordChangedAt === null ? 'invited' : 'active'
}

/**
 * The administrators who can approve a factor removal: neither the user concerned nor the administrator who
 * requested it.
 */
export function secondPersons(
  administrators: readonly UserId[],
  concerned: UserId,
  asking: UserId,
): UserId[] {
  return administrators.filter((id) => id !== concerned && id !== asking)
}
