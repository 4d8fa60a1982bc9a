import { listActiveAdministrators } from '#server/db/people/administrators.ts'
import { findUser, findUsers } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Alert, AlertKind } from '#server/domain/alerts/alert.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, days } from '#server/domain/time.ts'
import { queueMails } from '#server/steps/mail/queue-mail.ts'
import { sentenceOfAlert } from '#server/words/alerts.ts'
import { findAlertOwners, namesOwner } from './find-alert-owner.ts'
import { mailedAtOnce } from './mailed-at-once.ts'

/** By then an administrator has seen the alert in Rúbrica. */
const ALERT_MAIL_LIFETIME = days(3)

/** Not mailed here: for the first, mail itself is failing; the others have a mail of their own. */
const NOT_MAILED: ReadonlySet<AlertKind> = new Set([
  'mail-failed',
  'recovery-issued',
  // Mailed by the session with a link to it, as each reader prefers.
  'signing-rejected',
  'session-late',
])

type Raised = Pick<Alert, 'officeId' | 'userId' | 'kind' | 'severity' | 'at'> &
  Partial<Pick<Alert, 'subjectKind' | 'subjectId' | 'facts'>>

/** Mails an alert to the active users that it concerns and who want it at once; alerts that are only information are not mailed. */
export async function mailAlert(trx: Transaction, warning: Raised): Promise<void> {
  const { officeId, userId, kind, severity, facts = {}, at } = warning
  if (severity === 'information' || NOT_MAILED.has(kind)) return
  const about = namesOwner(warning) ? await nameOfOwner(trx, warning) : null
  const { title, text } = sentenceOfAlert({ kind, facts, userId, about })
  const concerned = await listConcerned(trx, warning)
  const atOnce = await mailedAtOnce(
    trx,
    { kind, own: userId },
    concerned.map(({ id }) => id),
  )
  await queueMails(
    trx,
    concerned
      .filter(({ id }) => atOnce.has(id))
      .map((user) => ({
        officeId,
        to: { name: fullName(user), address: user.email },
        facts: { kind: 'alert', title, text },
        at,
        expiresAt: after(at, ALERT_MAIL_LIFETIME),
      })),
  )
}

async function listConcerned(
  trx: Transaction,
  { officeId, userId }: Pick<Raised, 'officeId' | 'userId'>,
): Promise<User[]> {
  const ids = userId === null ? await listActiveAdministrators(trx, officeId) : [userId]
  const users = await findUsers(trx, ids)
  return ids.flatMap((id) => users.get(id) ?? []).filter(({ state }) => state === 'active')
}

async function nameOfOwner(trx: Transaction, warning: Raised): Promise<string | null> {
  const id = (await findAlertOwners(trx, [warning])).get(warning)
  const owner = id && (await findUser(trx, id))
  return owner ? fullName(owner) : null
}
