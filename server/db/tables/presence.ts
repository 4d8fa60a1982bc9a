import type { Instant } from '#server/domain/time.ts'

export type PresenceChallengeRow = {
  /** Refers to `webauthn_challenges`. */
  challenge: string
  nonce: Uint8Array
  /** Canonical JSON. */
  list: Uint8Array
  expires_at: Instant
}

export type PresenceProofRow = {
  id: string
  office_id: string
  user_id: string
  method: string
  /** Canonical JSON. */
  list: Uint8Array
  list_sha256: string
  at: Instant
  expires_at: Instant
  /** The following columns belong to a security key. */
  nonce: Uint8Array | null
  challenge: string | null
  rp_id: string | null
  origin: string | null
  credential_id: string | null
  /** COSE_Key. */
  public_key: Uint8Array | null
  counter_before: number | null
  client_data: Uint8Array | null
  authenticator_data: Uint8Array | null
  signature: Uint8Array | null
  /** The following columns belong to an authenticator app. */
  factor_id: string | null
  time_step: number | null
}

/** An index of proofs by document; the canonical list in the proof is authoritative. */
export type PresenceProofDocumentRow = {
  proof_id: string
  document_id: string
}
