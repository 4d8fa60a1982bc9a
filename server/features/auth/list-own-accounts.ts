import { findOfficeOfLinked, listLinkedAccounts } from '#server/db/people/linked-accounts.ts'
import { isSuspended } from '#server/db/people/office-states.ts'
import { findOffice, listOffices } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Email } from '#server/domain/identity/email.ts'
import type { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type OwnAccount = {
  userId: UserId
  email: Email
  /** Name of the office. */
  office: string
  /** False if the account or its office is suspended, or its RFC was changed. */
  isUsable: boolean
}

/**
 * Whether there are other offices, in which the caller may have an account.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function mayHaveOtherAccounts(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<boolean> {
  const own = mustBeSignedIn(actor)
  await authorizeOrRecord(db, actor, 'accounts.read-own', own, clock.now())
  return (await listOffices(db)).length > 1
}

/**
 * The name of the caller's office if there is another to switch to, for the menu of every page; else null.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function officeToSwitchFrom(
  { db }: Pick<System, 'db'>,
  actor: Actor,
): Promise<string | null> {
  return (await findOfficeOfLinked(db, mustBeSignedIn(actor).userId)) ?? null
}

/**
 * The caller's accounts in other offices, by name of the office.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function listOwnAccounts(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<OwnAccount[]> {
  const own = mustBeSignedIn(actor)
  const { userId, rfc } = await authorizeOrRecord(db, actor, 'accounts.read-own', own, clock.now())
  const users = await findUsers(db, await listLinkedAccounts(db, userId))
  const accounts: OwnAccount[] = []
  for (const user of users.values()) {
    const office = await findOffice(db, user.officeId)
    if (!office) throw new Error(`${user.id} has no office`)
    const isUsable =
      user.state === 'active' && user.rfc === rfc && !(await isSuspended(db, office.id))
    accounts.push({ userId: user.id, email: user.email, office: office.name, isUsable })
  }
  return accounts.toSorted((one, other) => one.office.localeCompare(other.office, 'es-MX'))
}
