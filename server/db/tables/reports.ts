import type { Instant } from '#server/domain/time.ts'

export type ReportRunRow = {
  id: string
  office_id: string
  /** Null for the reports of a month. */
  user_id: string | null
  /** `2026-10` if it is a report of a month; null otherwise. */
  month: string | null
  kind: string
  format: string
  /** As JSON. */
  query: string
  state: string
  state_since: Instant
  created_at: Instant
  /** One process has the exclusive right to work on it until then. */
  due_at: Instant
  /** Failures without progress in between. */
  attempts: number
  /** Where the count stands, as JSON; null before it began. */
  progress: string | null
  rows_read: number
  percent: number
  /** The file; null until it is ready. */
  file_name: string | null
  sha256: string | null
  bytes: number | null
  expires_at: Instant | null
}

/** Rows of a file on its way. */
export type ReportPieceRow = {
  run_id: string
  /** Counts from 0. */
  place: number
  /** As JSON. */
  rows: string
}

export type ReportMonthRow = {
  office_id: string
  month: string
  begun_at: Instant
  /** When the administrators were mailed; null before. */
  told_at: Instant | null
}
