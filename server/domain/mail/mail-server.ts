import { z } from 'zod'
import { Email } from '#server/domain/identity/email.ts'
import { line } from '#server/domain/identity/text.ts'
import { OfficeId, UserId } from '#server/domain/ids.ts'
import { isThisMachine } from '#server/domain/outgoing-networks.ts'
import { Instant } from '#server/domain/time.ts'

/** Ports on which mail servers take mail. No other: a form must not make the server knock at every port. */
export const MAIL_PORTS = [587, 465, 2525, 25] as const

/**
 * The name of a mail server, in lower case. No address, which no certificate names, and not this machine, whose services are
 * for its operator (`SMTP_URL`).
 */
export const MailHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*\.[a-z][a-z0-9-]{0,62}$/)
  .refine((host) => !isThisMachine(host), 'this machine')

/** `tls` from the first byte; `starttls` before anything is sent. Never in clear text. */
export const MailSecurity = z.enum(['starttls', 'tls'])
export type MailSecurity = z.infer<typeof MailSecurity>

export const MailUsername = line(200)
export const MailPassword = z.string().min(1).max(200)

/** The mail server that administrators set for their office. */
export const MailServer = z.object({
  officeId: OfficeId,
  host: z.string().min(1),
  port: z.int().min(1).max(65_535),
  security: MailSecurity,
  /** Null if the server asks for no login. */
  username: MailUsername.nullable(),
  /** The password, unsealed only at `placeOfMailPassword`; null without a login. */
  sealed: z
    .object({
      keyVersion: z.int().positive(),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    })
    .nullable(),
  /** The sender. */
  from: z.object({ name: line(100), address: Email }),
  changedAt: Instant,
  changedBy: UserId,
})
export type MailServer = z.infer<typeof MailServer>

/**
 * The vault's place name for the password: it cannot be unsealed for another server or user, so that an administrator who does
 * not know it cannot have it sent to a server of their own.
 */
export const placeOfMailPassword = (
  server: Pick<MailServer, 'officeId' | 'host' | 'port' | 'username'>,
) =>
  `mail_servers.sealed_password:${server.officeId}:${server.username}@${server.host}:${server.port}`
