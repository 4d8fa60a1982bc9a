import type { Instant } from '#server/domain/time.ts'

export type AlertRow = {
  id: string
  office_id: string
  user_id: string | null
  kind: string
  severity: string
  subject_kind: string
  subject_id: string | null
  /** JSON. */
  facts: string
  occasion: string
  at: Instant
  state: string
  state_since: Instant
  state_by: string | null
}

export type AuditEventRow = {
  /** Counts from 0 without gaps. */
  seq: number
  office_id: string | null
  at: Instant
  actor: string
  action: string
  subject_kind: string
  subject_id: string | null
  /** RFC 8785; all the other columns are copies of what it says. */
  canonical: Uint8Array
  leaf_hash: string
}

export type AuditCheckpointRow = {
  /** How many events it is about. */
  size: number
  root: string
  /** As it was signed. */
  note: string
  at: Instant
}

export type AuditSubtreeRow = {
  /** A power of 256: how many leaves stand under it. */
  leaves: number
  /** The leaves from `position * leaves` on. */
  position: number
  root: string
}
