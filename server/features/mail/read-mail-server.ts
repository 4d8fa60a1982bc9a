import { findMailServer } from '#server/db/mail/mail-servers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { MailServer } from '#server/domain/mail/mail-server.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { hasMailer } from '#server/steps/mail/find-mailer.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A mail server without its password. */
export type ShownMailServer = Omit<MailServer, 'sealed'> & { hasPassword: boolean }

export type MailServerSettings = {
  /** Whether the operator set one for all offices, which is used instead. */
  isOfOperator: boolean
  /** Null if the office has none. */
  server: ShownMailServer | null
}

/** How mail of the office is sent. @throws {Problem} `not-signed-in`, `forbidden` */
export async function readMailServer(
  { db, clock, mailer }: Pick<System, 'db' | 'clock' | 'mailer'>,
  actor: Actor,
): Promise<MailServerSettings> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'mail.read', own, clock.now())
  const server = await findMailServer(db, officeId)
  return { isOfOperator: mailer !== null, server: server ? withoutPassword(server) : null }
}

export const withoutPassword = ({ sealed, ...server }: MailServer): ShownMailServer => ({
  ...server,
  hasPassword: sealed !== null,
})

/** Whether mail of the office is sent; pages say it to everyone. @throws {Problem} `not-signed-in`, `forbidden` */
export async function isSendingMail(
  { db, clock, mailer }: Pick<System, 'db' | 'clock' | 'mailer'>,
  actor: Actor,
): Promise<boolean> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  return await hasMailer({ db, mailer }, officeId)
}
