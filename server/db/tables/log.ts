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
  /** Of the last occurrence. */
  at: Instant
  occurrences: number
  /** Null for alerts of earlier releases. */
  first_at: Instant | null
  mailed_at: Instant | null
  state: string
  state_since: Instant
  state_by: string | null
}

/** How a user gets alerts by mail; without a row, each at once. */
export type AlertPreferenceRow = {
  user_id: string
  mail: string
  since: Instant
  /** Alerts up to this time were in a daily mail. */
  digested_at: Instant
}

/** A log; its events have the positions from `number` · 2⁴⁰. */
export type LogRow = {
  number: number
  id: string
  office_id: string | null
  follows: number | null
  /** Null for the first log. */
  opened_at: Instant | null
  closed_at: Instant | null
}

export type AuditEventRow = {
  /** The position of the event: those of one log are without gaps. */
  seq: number
  office_id: string | null
  at: Instant
  actor: string
  action: string
  subject_kind: string
  subject_id: string | null
  /** RFC 8785; authoritative, all other columns are copies of its fields. */
  canonical: Uint8Array
  leaf_hash: string
}

/** How often something happened in an office on a day. */
export type DailyFigureRow = {
  office_id: string
  figure: string
  /** Days since 1970, UTC. */
  day: number
  count: number
}

export type AuditCheckpointRow = {
  /** The position behind the last event that it covers. */
  size: number
  root: string
  /** The signed note. */
  note: string
  at: Instant
}

export type AuditSubtreeRow = {
  /** Number of leaves of the subtree, a power of 256. */
  leaves: number
  /** The subtree starts at the event with the position `position * leaves`. */
  position: number
  root: string
}
