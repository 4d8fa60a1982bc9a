import { randomUUID } from 'node:crypto'
import type { NewAlert } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

type Warning = Pick<NewAlert, 'kind' | 'severity'> & { facts?: NewAlert['facts'] }

/** Warns a user of what an administrator did to their account, unless they did it themselves. */
export async function warnPerson(
  trx: Transaction,
  by: Person,
  user: Pick<User, 'id' | 'officeId'>,
  { kind, severity, facts }: Warning,
  at: Instant,
): Promise<void> {
  if (by.userId === user.id) return
  await raiseAlert(trx, {
    officeId: user.officeId,
    userId: user.id,
    kind,
    severity,
    subjectKind: 'user',
    subjectId: user.id,
    facts: { ...facts, by: fullName(by) },
    // Always a new occasion: a double click finds the change done and does not get here.
    occasion: occasions.accountWarning(kind, user.id, randomUUID()),
    at,
  })
}

/**
 * Warns all administrators of a new one, so that no administrator can secretly add an accomplice as second
 * person.
 */
export async function warnOfAdministrator(
  trx: Transaction,
  by: Person,
  user: Pick<User, 'id' | 'officeId'>,
  at: Instant,
): Promise<void> {
  await raiseAlert(trx, {
    officeId: user.officeId,
    userId: null,
    kind: 'administrator-added',
    severity: 'warning',
    subjectKind: 'user',
    subjectId: user.id,
    facts: { by: fullName(by) },
    occasion: occasions.accountWarning('administrator-added', user.id, randomUUID()),
    at,
  })
}
