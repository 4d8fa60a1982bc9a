import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endBackupCodesOf } from '#server/db/factors/backup-codes.ts'
import { endTotpFactorsOf } from '#server/db/factors/totp-factors.ts'
import { endWebauthnCredentialsOf } from '#server/db/factors/webauthn-credentials.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { endAccessTokensOf } from '#server/db/people/access-tokens.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { FactorRemoval } from '#server/domain/identity/factor-removal.ts'
import type { Instant } from '#server/domain/time.ts'
import { warnPerson } from './warn-person.ts'

/**
 * Removes all second factors of a user and ends their sessions, so a thief of the lost key is signed out. Logs
 * the event.
 *
 * @param approval `alone` if the office has no second administrator to approve
 */
export async function removeFactors(
  trx: Transaction,
  person: Person,
  { id, userId, officeId, reason, askedBy }: FactorRemoval,
  approval: 'second-person' | 'alone',
  at: Instant,
): Promise<void> {
  await lockUntilCommit(trx, `factors:${userId}`)
  const end = { at, by: person.userId }
  const totp = await endTotpFactorsOf(trx, userId, end)
  const keys = await endWebauthnCredentialsOf(trx, userId, end)
  const codes = await endBackupCodesOf(trx, userId, at)
  await endSignInsOf(trx, userId, at)
  const tokens = await endAccessTokensOf(trx, userId, at)
  const sessions = await endSessionsOf(trx, userId, { ...end, reason: 'factors-changed' })
  const user = { id: userId, officeId }
  const news = {
    kind: 'factors-changed',
    severity: 'danger',
    facts: { change: 'all-removed' },
  } as const
  await warnPerson(trx, person, user, news, at)
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'factors.removed',
    subject: { kind: 'user', id: userId },
    details: {
      ...{ removal: id, reason, askedBy, approval, totp, keys, backupCodes: codes, sessions },
      ...(tokens && { tokens }),
    },
  })
}
