import type { Instant } from '#server/domain/time.ts'

export type ActChecklistRow = {
  office_id: string
  act_id: string
  /** A JSON array. */
  items: string
  at: Instant
  by_user: string
}

/** An item of the list of a document, as the list was when it was added. */
export type DocumentCheckRow = {
  document_id: string
  act_id: string
  position: number
  act_name: string
  text: string
  phase: string
  need: string
  state: string
  note: string | null
  at: Instant
  by_user: string
}
