import type { Instant } from '#server/domain/time.ts'

export type SessionRow = {
  id: string
  user_id: string
  office_id: string
  device: string
  ip: string
  /** SHA-256 of the browser's token. */
  browser: string | null
  created_at: Instant
  last_seen_at: Instant
  expires_at: Instant
  /** Counts from 1; increments whenever the tokens are replaced. */
  generation: number
  proven_at: Instant
  second_factor: string | null
  second_factor_at: Instant | null
  ended_at: Instant | null
  ended_by: string | null
  end_reason: string | null
  /** Null while it has tokens; a while after its end they are deleted. */
  tokens_deleted_at: Instant | null
}

export type SessionTokenRow = {
  /** SHA-256 of the token. */
  token_hash: string
  session_id: string
  kind: string
  generation: number
  cause: string
  created_at: Instant
  expires_at: Instant
  used_at: Instant | null
  replaced_at: Instant | null
}

export type SignInRow = {
  id: string
  /** SHA-256 of the token. */
  token_hash: string
  user_id: string
  office_id: string
  created_at: Instant
  expires_at: Instant
  attempts: number
  state: string
  state_since: Instant
}

export type AttemptsRow = {
  /** The kind of attempt and a hash of its subject, so that the table does not list who tried. */
  key: string
  window_started_at: Instant
  attempts: number
  /** Number of refusals since an attempt was allowed. */
  refused: number
  blocked_until: Instant
  /** A hash of the account; null if the attempts are those of a network, a session or a token. */
  account: string | null
}

export type VainAttemptsRow = {
  /** A hash of the account, the network and the reason, so that the table does not list who tried. */
  key: string
  action: string
  office_id: string | null
  user_id: string | null
  /** JSON. */
  details: string
  ip: string
  device: string
  request_id: string
  /** Time of the last event; 1970 if there is none. */
  logged_at: Instant
  /** Attempts since the last event, of which the log says nothing yet. */
  attempts: number
  first_at: Instant | null
  last_at: Instant | null
  /** Null unless the user has to be warned. */
  warning_at: Instant | null
}

export type KnownDeviceRow = {
  user_id: string
  /** SHA-256 of the browser's token. */
  browser: string
  device: string
  first_seen_at: Instant
  last_seen_at: Instant
}

export type KeptRequestRow = {
  id: string
  purpose: string
  session_id: string
  user_id: string | null
  path: string
  content_type: string
  key_version: number
  sealed_body: Uint8Array
  created_at: Instant
  expires_at: Instant
  used_at: Instant | null
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
  created_at: Instant
  expires_at: Instant
  last_used_at: Instant | null
  revoked_at: Instant | null
}
