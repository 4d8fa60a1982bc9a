import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { BACKUP_CODES } from '#server/domain/identity/backup-code.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'

export type FactorChange =
  | 'totp-enabled'
  | 'totp-disabled'
  | 'backup-codes-created'
  | 'key-registered'
  | 'key-removed'

/** Changes that weaken the account. */
const LESS: readonly FactorChange[] = ['totp-disabled', 'key-removed']

/**
 * Warns the account's owner: if they did not make the change, their session was stolen.
 *
 * @param name of the key
 */
export async function warnOfChange(
  trx: Transaction,
  person: Person,
  change: FactorChange,
  id: string,
  at: Instant,
  name?: string,
): Promise<void> {
  await raiseAlert(trx, {
    officeId: person.officeId,
    userId: person.userId,
    kind: 'factors-changed',
    severity: LESS.includes(change) ? 'warning' : 'information',
    subjectKind: 'user',
    subjectId: person.userId,
    facts: { change, device: person.device, ip: person.ip, ...(name && { name }) },
    occasion: occasions.factorsChanged(change, id),
    at,
  })
}

/** Logs that new backup codes replaced the old ones. */
export async function recordNewBackupCodes(
  trx: Transaction,
  person: Person,
  setId: string,
  at: Instant,
): Promise<void> {
  await appendEvent(trx, {
    actor: person,
    at,
    action: 'backup-codes.created',
    subject: { kind: 'second-factor', id: setId },
    details: { codes: BACKUP_CODES },
  })
}
