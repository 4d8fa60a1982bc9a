import type { Instant } from '#server/domain/time.ts'

export type AuthorityRow = {
  /** `installation`, or the id of an office. */
  scope: string
  sha256: string
  der: Uint8Array
  state: string
  revocation: string
  /** Addresses as a JSON array. */
  ocsp: string
  reason: string | null
  state_since: Instant
  /** Null for the command line. */
  state_by: string | null
}

export type RevocationAnswerRow = {
  certificate_sha256: string
  issuer_sha256: string
  status: string
  der: Uint8Array
  fetched_at: Instant
  next_update: Instant | null
}
