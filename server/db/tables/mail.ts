import type { Instant } from '#server/domain/time.ts'

export type OutboxRow = {
  id: string
  office_id: string
  kind: string
  to_name: string
  to_address: string
  subject: string
  /** Null if the body is sealed. */
  text: string | null
  html: string | null
  /** Null if the body is plain text, and when a sealed one was erased. */
  key_version: number | null
  sealed_body: Uint8Array | null
  /** The attached documents, as JSON. */
  attachments: string | null
  /**
   * The subject of the mail, `activation:` or `signer:` followed by an id: the mail is discarded once that is
   * over.
   */
  about: string | null
  created_at: Instant
  expires_at: Instant
  state: string
  state_since: Instant
  /** Number of attempts to send it. */
  attempts: number
  next_attempt_at: Instant
  /** One process has the exclusive right to send it until then. */
  leased_until: Instant | null
  last_error: string | null
  /** Null if it was not discarded, and for rows older than this column. */
  discarded_because: string | null
}

/** The mail server of an office, if its operator set none. */
export type MailServerRow = {
  office_id: string
  host: string
  port: number
  security: string
  username: string | null
  key_version: number | null
  sealed_password: Uint8Array | null
  from_name: string
  from_address: string
  changed_at: Instant
  changed_by: string
}
