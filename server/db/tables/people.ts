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
  session_idle_ms: number
  session_absolute_ms: number
  /** Null: a second factor is optional. */
  second_factor_grace_ms: number | null
  timestamp_policy: string
  presence_policy: string
  constancia_policy: string
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
  state_since: number
  /** Null for what no person did: the demo, the first activation. */
  state_by: string | null
  state_reason: string | null
  /** A PHC string; null until the person has chosen a password. */
  password_hash: string | null
  password_changed_at: number | null
  /** Since when, and by whom, the person is asked to choose another password; null when not. */
  password_change_since: number | null
  password_change_by: string | null
  capacity: string | null
  capacity_from: number | null
  capacity_to: number | null
  created_at: number
}

export type UserRoleRow = {
  user_id: string
  role: string
  granted_at: number
  /** Null for the first roles of an office, which nobody could grant. */
  granted_by: string | null
}

export type ActivationRow = {
  id: string
  /** SHA-256 of the code. */
  code_hash: string
  user_id: string | null
  purpose: string
  created_at: number
  created_by: string | null
  expires_at: number
  state: string
  state_since: number
}

export type FactorRemovalRow = {
  id: string
  office_id: string
  user_id: string
  reason: string
  asked_at: number
  asked_by: string
  expires_at: number
  state: string
  state_since: number
  state_by: string | null
}

export type PrivacyNoticeRow = {
  office_id: string
  version: number
  /** The aviso simplificado, as it was written. */
  short: string
  /** The aviso integral. */
  full: string
  sha256: string
  at: number
  by_user: string
}
