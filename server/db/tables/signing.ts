import type { Instant } from '#server/domain/time.ts'

export type SigningSessionRow = {
  id: string
  office_id: string
  title: string
  message: string | null
  deadline: Instant | null
  state: string
  state_since: Instant
  state_by: string | null
  state_reason: string | null
  created_at: Instant
  created_by: string
  /** The act that it was made for, as JSON; null for none. */
  act: string | null
}

export type ActRow = {
  office_id: string
  id: string
  name: string
  /** A JSON array. */
  roles: string
  notary: string
  /** What is known about signing it electronically, as JSON; null before it is answered. */
  electronic: string | null
  state: string
  at: Instant
  by_user: string
}

export type SessionDocumentRow = {
  signing_session_id: string
  document_id: string
  /** Counts from 1. */
  position: number
  /** The complete version to which the session adds signatures; null otherwise. */
  completed_version: number | null
  /** The version at the time when the session was opened; null before. */
  base_version: number | null
  /** Field names as a JSON array, by signer position. */
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
  /** One declared text a line; null for the character that role and capacity give. */
  character: string | null
  state: string
  state_since: Instant
  state_reason: string | null
  /** How an external signer who rejected proved who they are; null for others. */
  state_proof: string | null
  replaced_by: string | null
  reminded_at: Instant | null
  /** When the session was created, while it is open; 0 otherwise. */
  awaited_since: Instant
  /** When it became their turn; 0 before, or if no reminder can be sent. */
  turn_since: Instant
  /** When the next automatic reminder is due; 0 if none is. */
  reminder_due: Instant
}

export type SigningLinkRow = {
  id: string
  signer_id: string
  /** SHA-256 of the code. */
  code_hash: string
  created_at: Instant
  created_by: string
  expires_at: Instant
  state: string
  state_since: Instant
  /** SHA-256 of the token of the browser that opened it; null before. */
  token_hash: string | null
  opened_at: Instant | null
  consented_at: Instant | null
  /** Digest of the text that the signer consented to. */
  consent_text: string | null
  /** SHA-256 of the newest code to reject that was mailed; null if none was, or it was used. */
  rejection_code: string | null
  rejection_code_at: Instant | null
}

export type PartyRow = {
  id: string
  office_id: string
  name: string
  rfc: string
  email: string | null
  character: string
  /** Name and RFC without accents, in lower case. */
  search_text: string
  at: Instant
  by_user: string
}
