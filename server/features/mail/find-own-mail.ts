import { findMail } from '#server/db/mail/outbox.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { MailId } from '#server/domain/ids.ts'
import type { Mail } from '#server/domain/mail/mail.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type OwnMail = { person: Person; mail: Mail; subject: { kind: 'mail'; id: MailId } }

/**
 * A mail of the actor's office on which the actor may perform this action.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for another office
 */
export async function findOwnMail(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  mailId: MailId,
  action: Action,
  at: Instant,
): Promise<OwnMail> {
  const mail = await findMail(db, mailId)
  if (!mail) throw new Problem('not-found', `no mail ${mailId}`)
  const subject = { kind: 'mail', id: mail.id } as const
  const person = await authorizeOrRecord(db, actor, action, mail, at, subject)
  return { person, mail, subject }
}
