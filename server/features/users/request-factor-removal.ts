import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findOpenFactorRemoval, insertFactorRemoval } from '#server/db/factors/factor-removals.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { beginAdministration, listActiveAdministrators } from '#server/db/people/administrators.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { mustNotBeSelf, secondPersons } from '#server/domain/identity/administration.ts'
import {
  type FactorRemoval,
  REMOVAL_LIFETIME,
  type Reason,
} from '#server/domain/identity/factor-removal.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { FactorRemovalId, type UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'
import { removeFactors } from './remove-factors.ts'
import { warnPerson } from './warn-person.ts'

export type RequestFactorRemoval = { userId: UserId; reason: Reason }

export type RemovalOutcome =
  /** Another administrator must approve. */
  | { kind: 'asked'; removal: FactorRemoval }
  /** There is no other administrator: the recorded reason suffices. */
  | { kind: 'removed' }

/**
 * Requests the removal of the second factors of a user who lost them. Does nothing while a request is pending.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `second-person-needed` for
 *   oneself, `account-state` when the user has none
 */
export async function requestFactorRemoval(
  system: System,
  actor: Actor,
  { userId, reason }: RequestFactorRemoval,
): Promise<RemovalOutcome> {
  const at = system.clock.now()
  const { person } = await findManaged(system, actor, userId, at)
  mustNotBeSelf(person, userId, 'remove the second factors of')

  return await system.db.transaction(async (trx): Promise<RemovalOutcome> => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    const { hasSecondFactor } = await listHeldFactors(trx, userId)
    if (!hasSecondFactor) throw new Problem('account-state', `${userId} has no second factor`)
    const open = await findOpenFactorRemoval(trx, userId, at)
    if (open) return { kind: 'asked', removal: open }

    const administrators = await listActiveAdministrators(trx, user.officeId)
    const canAnother = secondPersons(administrators, userId, person.userId).length > 0
    const removal = newRemoval(user, reason, person, canAnother ? 'open' : 'approved', at)
    await insertFactorRemoval(trx, removal)
    if (!canAnother) {
      await removeFactors(trx, person, removal, 'alone', at)
      return { kind: 'removed' }
    }
    await mailQuestion(trx, person, user, removal, at)
    return { kind: 'asked', removal }
  })
}

function newRemoval(
  user: User,
  reason: Reason,
  person: Person,
  state: 'open' | 'approved',
  at: Instant,
): FactorRemoval {
  return {
    id: FactorRemovalId.parse(randomUUID()),
    officeId: user.officeId,
    userId: user.id,
    reason,
    askedAt: at,
    askedBy: person.userId,
    expiresAt: after(at, REMOVAL_LIFETIME),
    state,
    stateSince: at,
    stateBy: person.userId,
  }
}

async function mailQuestion(
  trx: Transaction,
  person: Person,
  user: User,
  removal: FactorRemoval,
  at: Instant,
) {
  await raiseAlert(trx, {
    officeId: user.officeId,
    userId: null,
    kind: 'removal-to-approve',
    severity: 'warning',
    subjectKind: 'user',
    subjectId: user.id,
    facts: { by: fullName(person), reason: removal.reason },
    occasion: occasions.factorRemoval(removal.id),
    at,
  })
  // If the user did not ask for help, they must learn of it before the removal.
  const facts = { change: 'removal-asked' }
  await warnPerson(trx, person, user, { kind: 'factors-changed', severity: 'warning', facts }, at)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'factors.removal-asked',
    subject: { kind: 'user', id: user.id },
    details: { removal: removal.id, reason: removal.reason },
  })
}
