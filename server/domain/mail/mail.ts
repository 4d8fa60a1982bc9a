import { z } from 'zod'
import { DocumentId, MailId, OfficeId } from '#server/domain/ids.ts'
import { days, Instant } from '#server/domain/time.ts'

/** Everything that we write to people. A new kind of mail is a new line here. */
export const MailKind = z.enum([
  /** To somebody without an account: a link to sign. */
  'signing-invitation',
  /** To somebody with an account: it is their turn. */
  'signing-turn',
  'signing-reminder',
  'signing-completed',
  'signing-rejected',
  'signing-cancelled',
  'signing-expired',
  /** Somebody else signs instead. */
  'signer-replaced',
  'account-invitation',
  'account-recovery',
  'alert',
])
export type MailKind = z.infer<typeof MailKind>

/**
 * `waiting`: to be sent, also while it is. `sent`: a server took it over. `failed`: nobody tries any more.
 * `discarded`: it was of no more use, or somebody took it back.
 */
export const MailState = z.enum(['waiting', 'sent', 'failed', 'discarded'])
export type MailState = z.infer<typeof MailState>

/** Why a mail is not sent any more. */
export const DiscardReason = z.enum([
  'by-hand',
  'expired',
  /** What it leads to was used, ended, or has another link. */
  'link-over',
  /** The same person has been written to again about the same. */
  'newer-mail',
  'signer-replaced',
  'already-signed',
  'session-over',
])
export type DiscardReason = z.infer<typeof DiscardReason>

/** A document that goes along, at this version. */
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
    /** It has a link that opens something: it opens only at `placeOfMailBody`. */
    z.object({
      kind: z.literal('sealed'),
      keyVersion: z.int().positive(),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    }),
    /** It had such a link, and the link is of no more use. */
    z.object({ kind: z.literal('forgotten') }),
  ]),
  attachments: z.array(MailAttachment),
  createdAt: Instant,
  expiresAt: Instant,
  state: MailState,
  stateSince: Instant,
  attempts: z.int().nonnegative(),
  nextAttemptAt: Instant,
  /** Until then it is being sent, by one process. */
  leasedUntil: Instant.nullable(),
  /** What the server answered to the last attempt, in its words. */
  lastError: z.string().nullable(),
  /** Null of what was not discarded. */
  discardedBecause: DiscardReason.nullable(),
})
export type Mail = z.infer<typeof Mail>

/** Where the vault seals the body of a mail. */
export const placeOfMailBody = (id: MailId) => `outbox.sealed_body:${id}`

/** What could not be sent for so long is no news any more. */
export const MAIL_LIFETIME = days(30)

/** No more goes along with one mail, all documents together: servers refuse it. In bytes. */
export const ATTACHMENT_LIMIT = 10 * 1024 * 1024
/** Nobody looks through more files in a mail. */
export const MOST_ATTACHMENTS = 20

/** Whether documents of these sizes, in bytes, can go along with one mail: all of them, or none does. */
export const fitIntoMail = (sizes: readonly number[]) =>
  sizes.length <= MOST_ATTACHMENTS && sizes.reduce((sum, size) => sum + size, 0) <= ATTACHMENT_LIMIT
