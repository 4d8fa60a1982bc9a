import { z } from 'zod'
import { DocumentId, MailId, OfficeId } from '#server/domain/ids.ts'
import { days, Instant } from '#server/domain/time.ts'

/** Every kind of mail. A new kind is a new line here. */
export const MailKind = z.enum([
  /** To a signer without an account: a link to sign. */
  'signing-invitation',
  /** To a signer with an account: it is their turn. */
  'signing-turn',
  'signing-reminder',
  'signing-completed',
  'signing-rejected',
  'signing-cancelled',
  'signing-expired',
  /** To a signer without an account who rejects: the code that proves who they are. */
  'rejection-code',
  /** To a signer who was replaced. */
  'signer-replaced',
  'account-invitation',
  'account-recovery',
  'alert',
  /** The alerts of a day. */
  'alert-digest',
  /** The reports of a month. */
  'reports-ready',
])
export type MailKind = z.infer<typeof MailKind>

/**
 * `waiting`: to be sent or being sent. `sent`: a mail server accepted it. `failed`: no more attempts.
 * `discarded`: obsolete or withdrawn.
 */
export const MailState = z.enum(['waiting', 'sent', 'failed', 'discarded'])
export type MailState = z.infer<typeof MailState>

/** Why a mail was discarded. */
export const DiscardReason = z.enum([
  'by-hand',
  'expired',
  /** Its link was used, revoked or replaced. */
  'link-over',
  /** The recipient got a newer mail about the same subject. */
  'newer-mail',
  'signer-replaced',
  'already-signed',
  'session-over',
])
export type DiscardReason = z.infer<typeof DiscardReason>

/** An attached document at this version. */
export const MailAttachment = z.object({ documentId: DocumentId, version: z.int().positive() })
export type MailAttachment = z.infer<typeof MailAttachment>

/** A mail of the outbox. */
export const Mail = z.object({
  id: MailId,
  officeId: OfficeId,
  kind: MailKind,
  to: z.object({ name: z.string(), address: z.string() }),
  subject: z.string(),
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('clear'), text: z.string(), html: z.string() }),
    /** Has a secret link; unsealed only at `placeOfMailBody`. */
    z.object({
      kind: z.literal('sealed'),
      keyVersion: z.int().positive(),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    }),
    /** Had a secret link, which is over. */
    z.object({ kind: z.literal('forgotten') }),
  ]),
  attachments: z.array(MailAttachment),
  createdAt: Instant,
  expiresAt: Instant,
  state: MailState,
  stateSince: Instant,
  attempts: z.int().nonnegative(),
  nextAttemptAt: Instant,
  /** One process is sending it until then. */
  leasedUntil: Instant.nullable(),
  /** The mail server's response to the last attempt. */
  lastError: z.string().nullable(),
  /** Null if it was not discarded. */
  discardedBecause: DiscardReason.nullable(),
})
export type Mail = z.infer<typeof Mail>

/** The vault's place name for the body of a mail. */
export const placeOfMailBody = (id: MailId) => `outbox.sealed_body:${id}`

/** A mail that could not be sent for this long is obsolete. */
export const MAIL_LIFETIME = days(30)

/** Largest total of attachments in bytes; mail servers reject more. */
export const ATTACHMENT_LIMIT = 10 * 1024 * 1024
/** Most attachments that a reader will look through. */
export const MOST_ATTACHMENTS = 20

/** Whether documents of these sizes, in bytes, can all be attached to one mail. */
export const fitIntoMail = (sizes: readonly number[]) =>
  sizes.length <= MOST_ATTACHMENTS && sizes.reduce((sum, size) => sum + size, 0) <= ATTACHMENT_LIMIT
