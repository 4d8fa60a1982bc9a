import { isSuspended } from '#server/db/people/office-states.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'

/**
 * No user, program or external signer of a suspended office becomes an actor; without one nothing of the office can be read or
 * written. What asks for no actor, as public verification, goes on.
 *
 * @throws {Problem} `office-suspended`
 */
export async function mustOperate(db: Reader, officeId: OfficeId): Promise<void> {
  if (await isSuspended(db, officeId))
    throw new Problem('office-suspended', `office ${officeId} is suspended`)
}
