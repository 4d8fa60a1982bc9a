/*
 * The tables as they are on the disk, on both databases. Ids are text, times are milliseconds since 1970
 * in UTC, contents are bytes, and a state stands beside its author and time: there are no booleans.
 */
export type Tables = {
  offices: OfficeRow
  users: UserRow
  user_roles: UserRoleRow
  activations: ActivationRow
  factor_removals: FactorRemovalRow
  sessions: SessionRow
  session_tokens: SessionTokenRow
  sign_ins: SignInRow
  attempts: AttemptsRow
  known_devices: KnownDeviceRow
  kept_requests: KeptRequestRow
  totp_factors: TotpFactorRow
  backup_codes: BackupCodeRow
  webauthn_credentials: WebauthnCredentialRow
  webauthn_challenges: WebauthnChallengeRow
  alerts: AlertRow
  certificates: CertificateRow
  documents: DocumentRow
  document_versions: DocumentVersionRow
  signatures: SignatureRow
  prepared_signatures: PreparedSignatureRow
  audit_events: AuditEventRow
  verification_reports: VerificationReportRow
  authorities: AuthorityRow
  revocation_answers: RevocationAnswerRow
}

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

export type TotpFactorRow = {
  id: string
  user_id: string
  key_version: number
  sealed_secret: Uint8Array
  /** The last time step whose code was taken; 0 for none. */
  last_step: number
  /** By how much the device's clock is ahead; negative when it is behind. */
  drift_seconds: number
  created_at: number
  state: string
  state_since: number
  state_by: string | null
}

export type BackupCodeRow = {
  id: string
  user_id: string
  set_id: string
  number: number
  salt: Uint8Array
  code_hash: Uint8Array
  created_at: number
  state: string
  state_since: number
}

export type WebauthnCredentialRow = {
  id: string
  user_id: string
  /** As the authenticator named it, base64url. */
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
  created_at: number
  last_used_at: number | null
  state: string
  state_since: number
  state_by: string | null
}

export type WebauthnChallengeRow = {
  id: string
  challenge: string
  purpose: string
  bearer: string
  user_id: string
  created_at: number
  expires_at: number
  used_at: number | null
}

export type AlertRow = {
  id: string
  office_id: string
  user_id: string | null
  kind: string
  severity: string
  subject_kind: string
  subject_id: string | null
  /** JSON. */
  facts: string
  occasion: string
  at: number
  state: string
  state_since: number
  state_by: string | null
}

export type CertificateRow = {
  id: string
  office_id: string
  der: Uint8Array
  sha256: string
  kind: string
  rfc: string | null
  curp: string | null
  name: string
  number: string
  issuer: string
  not_before: number
  not_after: number
  user_id: string | null
  first_seen_at: number
  provenance: string
}

export type DocumentRow = {
  id: string
  office_id: string
  folio: string
  folio_year: number
  folio_number: number
  verification_code: string
  kind: string
  title: string
  /** Folio and title without accents, in lower case. */
  search_text: string
  state: string
  state_since: number
  state_by: string
  version: number
  created_at: number
  created_by: string
}

export type DocumentVersionRow = {
  document_id: string
  version: number
  sha256: string
  bytes: number
  pages: number
  cause: string
  by_user: string
  at: number
  file_name: string
  signatures_brought: number
}

export type SignatureRow = {
  id: string
  document_id: string
  /** The version that this signature made. */
  version: number
  field: string
  certificate_id: string
  signer_id: string
  method: string
  level: string
  signed_at: number
  /** What our own verifier said of it before it was stored. */
  report: string
}

export type PreparedSignatureRow = {
  id: string
  document_id: string
  /** The version that it signs. */
  version: number
  user_id: string
  certificate_der: Uint8Array
  base_sha256: string
  base_length: number
  increment: Uint8Array
  contents_start: number
  contents_end: number
  /** Four numbers as JSON. */
  byte_range: string
  digest: Uint8Array
  signed_attributes: Uint8Array
  field: string
  method: string
  created_at: number
  expires_at: number
  state: string
  state_since: number
}

export type AuditEventRow = {
  /** Counts from 0 without gaps. */
  seq: number
  office_id: string | null
  at: number
  actor: string
  action: string
  subject_kind: string
  subject_id: string | null
  /** RFC 8785; all the other columns are copies of what it says. */
  canonical: Uint8Array
  leaf_hash: string
}

export type VerificationReportRow = {
  sha256: string
  /** Of the authorities that were trusted: a verdict under others is another verdict. */
  trust_fingerprint: string
  report: string
  at: number
}

export type AuthorityRow = {
  sha256: string
  der: Uint8Array
  state: string
  revocation: string
  /** Addresses as a JSON array. */
  ocsp: string
  reason: string | null
  state_since: number
  /** Null: the command line. */
  state_by: string | null
}

export type RevocationAnswerRow = {
  certificate_sha256: string
  issuer_sha256: string
  status: string
  der: Uint8Array
  fetched_at: number
  next_update: number | null
}
