import type { Instant } from '#server/domain/time.ts'

export type ServiceProviderRow = {
  id: string
  office_id: string
  kind: string
  name: string
  url: string
  /** Null without authentication; then both columns of the sealed password are null, too. */
  username: string | null
  key_version: number | null
  sealed_password: Uint8Array | null
  /** Dotted decimal. */
  policy: string | null
  position: number
  state: string
  state_since: Instant
  /** Null for the demo. */
  state_by: string | null
  /** Of a constancia, in centavos; null if the office has not said it. */
  cost_cents: number | null
}

/** The failed requests of a provider in a row; it has no row while it answers. */
export type ProviderFailuresRow = {
  provider_id: string
  failures: number
  since: Instant
  last_at: Instant
}

export type ArchiveRow = {
  document_id: string
  /** That of the document, for the index of what is due. */
  office_id: string
  /** The version that waits, was tried last or is archived. */
  version: number
  state: string
  state_since: Instant
  /** Number of failures since it last succeeded. */
  attempts: number
  /** When to try again; when to renew, if it succeeded. */
  due_at: Instant
  /** Expiry of the newest timestamp; null if there is none. */
  holds_until: Instant | null
  /** Why the last attempt failed. */
  fault: string | null
}

/** A document timestamp that was issued, and whose file is not a version yet. */
export type DocumentStampRow = {
  document_id: string
  /** The file under the timestamp begins with it. */
  base_sha256: string
  /** All bytes behind it, up to the end of the timestamp. */
  behind: Uint8Array
  authority: string
  holds_until: Instant
  expires_at: Instant
}
