import type { Actor } from '#server/domain/identity/actor.ts'
import type { MailId } from '#server/domain/ids.ts'
import type { Mail } from '#server/domain/mail/mail.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findOwnMail } from './find-own-mail.ts'
import { openBody } from './open-body.ts'

export type ReadMail = { mailId: MailId }

export type ShownMail = Omit<Mail, 'body'> & {
  /** The plain text; null if it contains or contained a secret link. */
  text: string | null
  /** For mail with a secret link: whether `readSecretMail` can still read it. */
  secret: 'none' | 'sealed' | 'forgotten'
}

/** One mail of the office. @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function readMail(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { mailId }: ReadMail,
): Promise<ShownMail> {
  const found = await findOwnMail(system, actor, mailId, 'mail.read', system.clock.now())
  const { body, ...mail } = found.mail
  if (body.kind === 'clear') return { ...mail, text: body.text, secret: 'none' }
  return { ...mail, text: null, secret: body.kind }
}

/**
 * The plain text of a mail with a secret link. The link grants access, so reading it is logged.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `mail-state` when the link is
 *   no longer valid, `secret-unreadable`
 */
export async function readSecretMail(
  system: Pick<System, 'db' | 'eventQueue' | 'clock' | 'vault'>,
  actor: Actor,
  { mailId }: ReadMail,
): Promise<string> {
  const at = system.clock.now()
  const { mail, subject } = await findOwnMail(system, actor, mailId, 'mail.read-secret', at)
  if (mail.body.kind === 'forgotten' || at >= mail.expiresAt)
    throw new Problem('mail-state', `the secret of mail ${mailId} is of no more use`)
  const { text } = openBody(system, mail)
  await system.eventQueue.append({
    actor,
    at,
    action: 'mail.secret-read',
    subject,
    details: { kind: mail.kind },
  })
  return text
}
