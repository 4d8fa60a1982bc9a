import type { Instant } from '#server/domain/time.ts'

export type NumberSeriesRow = {
  office_id: string
  id: string
  name: string
  next_number: number | null
  counted_from: number | null
  book: string | null
  at: Instant
  by_user: string
}

/** A number, or a range of them. */
export type InstrumentNumberRow = {
  office_id: string
  series_id: string
  first_number: number
  last_number: number
  state: string
  /** The document that has it. */
  document_id: string | null
  /** The document that had it last. */
  left_by: string | null
  note: string | null
  /** The form that set it apart. */
  made_once: string | null
  at: Instant
  by_user: string | null
}

/** What documents have in place of a number of the register. */
export type NumberTextRow = {
  document_id: string
  office_id: string
  series_id: string
  text: string
  /** No two documents of a series have the same; null for duplicates from before the register, and of cancelled documents. */
  folded: string | null
  at: Instant
}
