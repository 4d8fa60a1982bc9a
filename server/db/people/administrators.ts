import { lockUntilCommit } from '#server/db/lock.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { isActiveAdministrator } from '#server/domain/identity/administration.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { findUser } from './users.ts'

/** The active administrators of the office. */
export async function listActiveAdministrators(db: Reader, officeId: OfficeId): Promise<UserId[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select('users.id')
    .where('users.office_id', '=', officeId)
    .where('users.state', '=', 'active')
    .where('user_roles.role', '=', 'ADMIN')
    .orderBy('users.id')
    .execute()
  return rows.map(({ id }) => id as UserId)
}

/**
 * Serializes administrators of an office who change its users, and checks the role again: if two suspend each
 * other at once, one remains.
 *
 * @throws {Problem} `forbidden`
 */
export async function beginAdministration(trx: Transaction, person: Person): Promise<void> {
  await lockUntilCommit(trx, `people:${person.officeId}`)
  const self = await findUser(trx, person.userId)
  if (!self || !isActiveAdministrator(self))
    throw new Problem('forbidden', `${person.userId} administers no more`)
}
