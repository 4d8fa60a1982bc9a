import type { Instant } from '#server/domain/time.ts'

export type IssuedCopyRow = {
  id: string
  document_id: string
  kind: string
  /** Among the copies of the kind of the document, from 1. */
  ordinal: number
  /** Null for all of the document. */
  part: string | null
  recipient_name: string
  recipient_rfc: string | null
  recipient_character: string | null
  /** Null for an electronic copy. */
  sheets: number | null
  /** A calendar day. */
  issued_on: string
  note: string | null
  /** Of the document. */
  version: number
  at: Instant
  by_user: string
}

export type CopyCancellationRow = {
  copy_id: string
  cancelled_at: Instant
  cancelled_by: string
  reason: string
}
