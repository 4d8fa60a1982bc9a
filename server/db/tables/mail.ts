import type { Instant } from '#server/domain/time.ts'

export type OutboxRow = {
  id: string
  office_id: string
  kind: string
  to_name: string
  to_address: string
  subject: string
  /** Null where the body is sealed. */
  text: string | null
  html: string | null
  /** Null where the body is in clear, and when a sealed one was forgotten. */
  key_version: number | null
  sealed_body: Uint8Array | null
  /** The documents that go along, as JSON. */
  attachments: string | null
  /** What the mail is about, `activation:` or `signer:` and its id: once that is over the mail has no more use. */
  about: string | null
  created_at: Instant
  expires_at: Instant
  state: string
  state_since: Instant
  /** How often it was handed to a server. */
  attempts: number
  next_attempt_at: Instant
  /** Until then one process is sending it. */
  leased_until: Instant | null
  last_error: string | null
  /** Null of what was not discarded, and of what was before this was kept. */
  discarded_because: string | null
}
