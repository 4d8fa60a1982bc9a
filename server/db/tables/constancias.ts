import type { Instant } from '#server/domain/time.ts'

export type ConstanciaRow = {
  id: string
  office_id: string
  document_id: string
  version: number
  sha256: string
  state: string
  requested_at: Instant
  /** Null for the office's policy. */
  requested_by: string | null
  attempts: number
  next_attempt_at: Instant | null
  last_error: string | null
  provider_id: string | null
  request: Uint8Array | null
  answer: Uint8Array | null
  time: Instant | null
  policy: string | null
  authority: string | null
  issued_at: Instant | null
  /** The provider's cost when it was issued; null if there was none. */
  cost_cents: number | null
}
