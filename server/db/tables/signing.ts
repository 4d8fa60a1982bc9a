export type SigningSessionRow = {
  id: string
  office_id: string
  title: string
  message: string | null
  deadline: number | null
  state: string
  state_since: number
  state_by: string | null
  state_reason: string | null
  created_at: number
  created_by: string
}

export type SessionDocumentRow = {
  signing_session_id: string
  document_id: string
  /** Counts from 1. */
  position: number
  /** The version that was there when the session was opened; null before. */
  base_version: number | null
  /** Names as a JSON array, by the place of the signers. */
  fields: string
}

export type SignerRow = {
  id: string
  signing_session_id: string
  place: number
  step: number
  user_id: string | null
  name: string
  email: string | null
  rfc: string
  character: string | null
  state: string
  state_since: number
  state_reason: string | null
  replaced_by: string | null
  reminded_at: number | null
}

export type SigningLinkRow = {
  id: string
  signer_id: string
  /** SHA-256 of the code. */
  code_hash: string
  created_at: number
  created_by: string
  expires_at: number
  state: string
  state_since: number
  /** SHA-256 of the token of the browser in which it was opened; null before. */
  token_hash: string | null
  opened_at: number | null
  consented_at: number | null
  /** Which text was agreed to. */
  consent_text: string | null
}
