import type { MailId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Delivers mail to a mail server. */
export type Mailer = {
  /**
   * Ends within a minute and never throws for server errors. The same mail always has the same Message-ID, so a
   * receiver may drop a duplicate. Never call it inside a transaction.
   */
  send(mail: OutgoingMail): Promise<Delivery>
  /** Whether the server answers and takes our login; sends nothing. Ends within a minute and never throws for server errors. */
  reach(): Promise<Reach>
}

export type OutgoingMail = {
  readonly id: MailId
  readonly to: { name: string; address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The `Date` of the mail. */
  readonly at: Instant
  /** File names are unique. */
  readonly attachments: readonly { name: string; content: ReadableStream<Uint8Array> }[]
}

export type Reach = { kind: 'reached' } | Extract<Delivery, { kind: 'unreachable' }>

/** The result of a delivery; `answer` is the server's response, one line. */
export type Delivery =
  /** The server took responsibility for the mail. */
  | { kind: 'accepted' }
  /** Permanent: the address does not exist, or the server rejects the mail. */
  | { kind: 'refused'; answer: string }
  /** Temporary failure. */
  | { kind: 'delayed'; answer: string }
  /** The server is unreachable or rejects our login; other mail would fail, too. */
  | { kind: 'unreachable'; answer: string }

/** A mail server that administrators of an office set, with its unsealed password. */
export type OfficeMailServer = {
  readonly host: string
  readonly port: number
  readonly security: 'tls' | 'starttls'
  readonly credentials?: { user: string; password: string }
  readonly from: { name: string; address: string }
}

/** Mailers for servers that the operator did not set. */
export type Mailers = {
  /** Connects only to addresses that a service of an office may have; another one is `unreachable`. */
  through(server: OfficeMailServer): Mailer
}
