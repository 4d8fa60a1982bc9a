export type SessionRow = {
  id: string
  user_id: string
  office_id: string
  device: string
  ip: string
  /** SHA-256 of the browser's name. */
  browser: string | null
  created_at: number
  last_seen_at: number
  expires_at: number
  /** Counts from 1; grows whenever the tokens are replaced. */
  generation: number
  proven_at: number
  second_factor: string | null
  second_factor_at: number | null
  ended_at: number | null
  ended_by: string | null
  end_reason: string | null
}

export type SessionTokenRow = {
  /** SHA-256 of the token. */
  token_hash: string
  session_id: string
  kind: string
  generation: number
  cause: string
  created_at: number
  expires_at: number
  used_at: number | null
  replaced_at: number | null
}

export type SignInRow = {
  id: string
  /** SHA-256 of the token. */
  token_hash: string
  user_id: string
  office_id: string
  created_at: number
  expires_at: number
  attempts: number
  state: string
  state_since: number
}

export type AttemptsRow = {
  /** What is counted, and a hash of whose: the table is not a list of who tried. */
  key: string
  window_started_at: number
  attempts: number
  /** Since one was let through. */
  refused: number
  blocked_until: number
}

export type KnownDeviceRow = {
  user_id: string
  /** SHA-256 of the browser's name. */
  browser: string
  device: string
  first_seen_at: number
  last_seen_at: number
}

export type KeptRequestRow = {
  id: string
  session_id: string
  path: string
  content_type: string
  key_version: number
  sealed_body: Uint8Array
  created_at: number
  expires_at: number
  used_at: number | null
}

export type AccessTokenRow = {
  id: string
  office_id: string
  user_id: string
  name: string
  /** SHA-256, hexadecimal. */
  token_hash: string
  /** Separated by spaces. */
  scopes: string
  created_at: number
  expires_at: number
  last_used_at: number | null
  revoked_at: number | null
}
