import type { Instant } from '#server/domain/time.ts'

export type ServiceProviderRow = {
  id: string
  office_id: string
  kind: string
  name: string
  url: string
  /** Null without authentication; then both of the sealed password are, too. */
  username: string | null
  key_version: number | null
  sealed_password: Uint8Array | null
  /** Dotted decimal. */
  policy: string | null
  position: number
  state: string
  state_since: Instant
  /** Null: the demo. */
  state_by: string | null
}

export type ArchiveRow = {
  document_id: string
  /** The version that was tried last, or that stands. */
  version: number
  state: string
  state_since: Instant
  /** How often it was tried in vain since it last stood. */
  attempts: number
  /** When it is worth another try; of what stands, when it must be renewed. */
  due_at: Instant
  /** Until when the newest timestamp proves by itself; null while there is none. */
  holds_until: Instant | null
  /** Why the last try was in vain. */
  fault: string | null
}
