import type { Instant } from '#server/domain/time.ts'

export type ObligationRow = {
  office_id: string
  id: string
  name: string
  channel: string | null
  /** An ObligationTerm as JSON. */
  term: string
  source: string | null
  /** A day. */
  source_day: string | null
  state: string
  at: Instant
  by_user: string
}

export type NonWorkingDayRow = {
  office_id: string
  day: string
  name: string
  source: string | null
  at: Instant
  by_user: string
}

/** Days are texts: `2026-11-30`. */
export type DeadlineRow = {
  id: string
  office_id: string
  obligation_id: string
  /** Null for that of a month. */
  document_id: string | null
  /** The month; null for that of a document. */
  period: string | null
  base_on: string | null
  due_on: string
  state: string
  state_since: Instant
  state_by: string | null
  done_on: string | null
  note: string | null
  acknowledgement: string | null
  notice_on: string | null
  alert: string | null
}

/** A document that was signed, and has no deadlines yet. */
export type DeadlineDueRow = { document_id: string; signed_at: Instant }

/** An office whose terms or non-working days changed: where the job stands that counts its deadlines again. */
export type DeadlineRecountRow = {
  office_id: string
  since: Instant
  state: string
  behind: string
  moved: number
}

/** The secret address of a user's calendar. */
export type CalendarFeedRow = {
  user_id: string
  token_hash: string
  created_at: Instant
  last_used_at: Instant | null
}
