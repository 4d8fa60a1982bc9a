import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { TEST_MAILS } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { MailId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Delivery } from '#server/ports/mailer.ts'
import { findMailer } from '#server/steps/mail/find-mailer.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import type { System } from '#server/system.ts'
import { composeTestMail } from '#server/words/mail/test-mail.ts'

export type TestMailOutcome =
  /** The office has no mail server, nor has the operator. */
  { kind: 'no-server' } | { kind: 'answered'; to: string; delivery: Delivery }

/**
 * Sends a mail to the administrator's own address, as the mail job would, and returns what the server answered. Ends within a
 * minute.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `too-many-attempts` after ten in an hour
 */
export async function sendTestMail(system: System, actor: Actor): Promise<TestMailOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, 'mail.manage', own, at)
  const mailer = await findMailer(system, officeId)
  if (!mailer) return { kind: 'no-server' }
  const limit = { key: throttleKeys.testMail(officeId), policy: TEST_MAILS }
  const spent = await consumeLimitedAttempt(db, [limit], at)
  if (!spent.allowed) throw tooManyAttempts(spent, 'test mails')
  const [office, user] = [await findOffice(db, officeId), await findUser(db, userId)]
  if (!office || !user) throw new Problem('not-found', `${userId} has no address`)
  const to = { name: fullName(user), address: user.email }
  const delivery = await mailer.send({
    id: MailId.parse(randomUUID()),
    to,
    ...composeTestMail({ toName: to.name, office: office.name }),
    at,
    attachments: [],
  })
  const isAccepted = delivery.kind === 'accepted'
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor,
      at,
      action: 'mail-server.tested',
      subject: { kind: 'office', id: officeId },
      result: isAccepted ? 'success' : 'refused',
      details: { outcome: delivery.kind, answer: isAccepted ? null : delivery.answer },
    }),
  )
  return { kind: 'answered', to: to.address, delivery }
}
