import type { MailId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Hands mail over to a server. */
export type Mailer = {
  /**
   * Ends within a minute, and never throws for what a server says or does. The same mail always has the same
   * Message-ID: of two copies a receiver may drop one. Never inside of a transaction.
   */
  send(mail: OutgoingMail): Promise<Delivery>
}

export type OutgoingMail = {
  readonly id: MailId
  readonly to: { name: string; address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** When it was written; its date for the reader. */
  readonly at: Instant
  /** Each name once. */
  readonly attachments: readonly { name: string; content: ReadableStream<Uint8Array> }[]
}

/** What came of handing a mail over; `answer` is what the server said, one line. */
export type Delivery =
  /** It is the server's now. */
  | { kind: 'accepted' }
  /** Permanent: the address does not exist, or the server rejects the mail. */
  | { kind: 'refused'; answer: string }
  /** Not now. */
  | { kind: 'delayed'; answer: string }
  /** The server cannot be reached or does not let us in: any other mail would fare the same. */
  | { kind: 'unreachable'; answer: string }
