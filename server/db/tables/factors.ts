import type { Instant } from '#server/domain/time.ts'

export type TotpFactorRow = {
  id: string
  user_id: string
  key_version: number
  sealed_secret: Uint8Array
  /** The time step of the last accepted code; 0 for none. */
  last_step: number
  /** Clock drift of the device; negative if it is behind. */
  drift_seconds: number
  created_at: Instant
  state: string
  state_since: Instant
  state_by: string | null
}

export type BackupCodeRow = {
  id: string
  user_id: string
  set_id: string
  number: number
  salt: Uint8Array
  code_hash: Uint8Array
  created_at: Instant
  state: string
  state_since: Instant
}

export type WebauthnCredentialRow = {
  id: string
  user_id: string
  /** The authenticator's credential id, base64url. */
  credential_id: string
  /** COSE_Key. */
  public_key: Uint8Array
  /** COSE algorithm. */
  algorithm: number
  counter: number
  /** JSON. */
  transports: string
  aaguid: string
  device_type: string
  backup: string
  user_verification: string
  attestation: Uint8Array
  rp_id: string
  name: string
  created_at: Instant
  last_used_at: Instant | null
  state: string
  state_since: Instant
  state_by: string | null
}

export type WebauthnChallengeRow = {
  id: string
  challenge: string
  purpose: string
  bearer: string
  user_id: string
  created_at: Instant
  expires_at: Instant
  used_at: Instant | null
}
