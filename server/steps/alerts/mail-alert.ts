import { insertMail } from '#server/db/mail/outbox.ts'
import { listActiveAdministrators } from '#server/db/people/administrators.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Alert, AlertKind } from '#server/domain/alerts/alert.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, days } from '#server/domain/time.ts'
import { sentenceOfAlert } from '#server/words/alerts.ts'
import { findAlertOwner } from './find-alert-owner.ts'

/** An alert that nobody could send for so long has been seen in Rúbrica. */
const ALERT_MAIL_LIFETIME = days(3)

/** Stay in Rúbrica: of the first the mail itself is what fails; of the second there is a mail already. */
const NOT_MAILED: ReadonlySet<AlertKind> = new Set(['mail-failed', 'recovery-issued'])

type Raised = Pick<Alert, 'officeId' | 'userId' | 'kind' | 'severity' | 'at'> &
  Partial<Pick<Alert, 'subjectKind' | 'subjectId' | 'facts'>>

/** Writes to everybody whom an alert concerns and who works here; mere information stays in Rúbrica. */
export async function mailAlert(trx: Transaction, warning: Raised): Promise<void> {
  const { officeId, userId, kind, severity, facts = {}, at } = warning
  if (severity === 'information' || NOT_MAILED.has(kind)) return
  const about = userId === null ? await nameOfOwner(trx, warning) : null
  const { title, text } = sentenceOfAlert({ kind, facts, userId, about })
  for (const { email: address, ...user } of await listConcerned(trx, warning))
    await insertMail(trx, {
      officeId,
      to: { name: fullName(user), address },
      facts: { kind: 'alert', title, text },
      at,
      expiresAt: after(at, ALERT_MAIL_LIFETIME),
    })
}

async function listConcerned(
  trx: Transaction,
  { officeId, userId }: Pick<Raised, 'officeId' | 'userId'>,
): Promise<User[]> {
  const ids = userId === null ? await listActiveAdministrators(trx, officeId) : [userId]
  const concerned: User[] = []
  for (const id of ids) {
    const user = await findUser(trx, id)
    if (user?.state === 'active') concerned.push(user)
  }
  return concerned
}

async function nameOfOwner(trx: Transaction, warning: Raised): Promise<string | null> {
  const id = await findAlertOwner(trx, warning)
  const owner = id && (await findUser(trx, id))
  return owner ? fullName(owner) : null
}
