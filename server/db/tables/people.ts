import type { Duration, Instant } from '#server/domain/time.ts'

export type OfficeRow = {
  id: string
  number: number
  entity: string
  municipality: string
  address: string
  time_zone: string
  name: string
  server_signing: string
  upload_limit_bytes: number
  session_idle_ms: Duration
  session_absolute_ms: Duration
  /** Null: a second factor is optional. */
  second_factor_grace_ms: Duration | null
  timestamp_policy: string
  presence_policy: string
  constancia_policy: string
  reminder_policy: string
  report_schedule: string
  public_names: string
  public_downloads: string
  /** With its columns below, written by `replaceOfficeState` alone. */
  state: string
  state_since: Instant | null
  state_reason: string | null
}

export type UserRow = {
  id: string
  office_id: string
  first_name: string
  last_name: string
  /** In lower case. */
  email: string
  rfc: string
  curp: string | null
  state: string
  state_since: Instant
  /** Null for the system: the demo, the first activation. */
  state_by: string | null
  state_reason: string | null
  /** A PHC string; null until the user has chosen a password. */
  password_hash: string | null
  password_changed_at: Instant | null
  /** Since when the user must change the password, and who required it; null if they need not. */
  password_change_since: Instant | null
  password_change_by: string | null
  capacity: string | null
  capacity_of: string | null
  capacity_from: Instant | null
  capacity_to: Instant | null
  created_at: Instant
}

export type UserRoleRow = {
  user_id: string
  role: string
  granted_at: Instant
  /** Null for the first roles of an office, which no user granted. */
  granted_by: string | null
}

/** An account of a person who has several. */
export type LinkedAccountRow = {
  user_id: string
  /** The same for all accounts of one person. */
  person: string
  linked_at: Instant
}

export type ActivationRow = {
  id: string
  /** SHA-256 of the code. */
  code_hash: string
  user_id: string | null
  purpose: string
  created_at: Instant
  created_by: string | null
  expires_at: Instant
  state: string
  state_since: Instant
}

export type FactorRemovalRow = {
  id: string
  office_id: string
  user_id: string
  reason: string
  asked_at: Instant
  asked_by: string
  expires_at: Instant
  state: string
  state_since: Instant
  state_by: string | null
}

export type PrivacyNoticeRow = {
  office_id: string
  version: number
  /** The text of the aviso simplificado. */
  short: string
  /** The aviso integral. */
  full: string
  sha256: string
  at: Instant
  by_user: string
}

/** A file that supports a capacity, with the capacity as it was recorded then. */
export type CapacityDocumentRow = {
  id: string
  office_id: string
  user_id: string
  capacity: string
  capacity_of: string | null
  capacity_from: Instant | null
  capacity_to: Instant | null
  sha256: string
  bytes: number
  file_name: string
  added_at: Instant
  added_by: string
}
