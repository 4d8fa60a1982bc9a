import type { Instant } from '#server/domain/time.ts'

/** The text of each aviso that was published or accepted. */
export type NoticeTextRow = {
  office_id: string
  sha256: string
  short: string
  full: string
  at: Instant
}

/** How many signers accepted each text. */
export type NoticeCountRow = {
  office_id: string
  sha256: string
  accepted: number
}

/** What a person consented to, or withdrew; append-only. */
export type ConsentRecordRow = {
  id: string
  office_id: string
  kind: string
  /** As of that time. */
  name: string
  rfc: string
  user_id: string | null
  session_signer_id: string | null
  signing_session_id: string | null
  document_id: string | null
  /** SHA-256 of the aviso that was accepted; null for other kinds. */
  notice: string | null
  at: Instant
}

export type ArcoRequestRow = {
  id: string
  office_id: string
  year: number
  /** Counts from 1 in each year. */
  number: number
  kind: string
  way: string
  /** A calendar day. */
  received_on: string
  name: string
  rfc: string | null
  email: string | null
  asked: string
  /** The terms that apply to it, as JSON. */
  terms: string
  state: string
  state_since: Instant
  /** The day by which the next step is due; null if none is. */
  due_on: string | null
  /** Which term was extended, and on which day; null if none was. */
  extended_term: string | null
  extended_on: string | null
  /** How the identity was proven, as JSON; null before. */
  identity: string | null
  /** As JSON; null before. */
  answer: string | null
  created_at: Instant
  created_by: string
}

/** Everything that was done about a request; append-only. */
export type ArcoStepRow = {
  request_id: string
  /** Counts from 0. */
  place: number
  kind: string
  at: Instant
  by_user: string
  /** What the person wrote; null if nothing. */
  note: string | null
}

/** The terms that an administrator set; append-only. */
export type ArcoTermsRow = {
  office_id: string
  version: number
  answer_days: number
  effect_days: number
  source: string
  /** The day of the source. */
  source_day: string
  at: Instant
  by_user: string
}

/** What is held about a person, as a file that a job makes. */
export type ArcoPackageRow = {
  request_id: string
  office_id: string
  state: string
  state_since: Instant
  asked_by: string
  /** One process has the exclusive right to work on it until then. */
  due_at: Instant
  attempts: number
  file_name: string | null
  sha256: string | null
  bytes: number | null
  expires_at: Instant | null
}

/** How long documents of a kind are kept; append-only. */
export type RetentionTermRow = {
  office_id: string
  kind: string
  version: number
  /** Null: they are kept. */
  years: number | null
  /** For how long they are blocked before they may be destroyed. */
  block_days: number
  source: string
  at: Instant
  by_user: string
}

/** How far the documents of a kind were looked through. */
export type RetentionPlaceRow = { office_id: string; kind: string; at: Instant; id: string }

/** A document whose term is over. */
export type RetentionItemRow = {
  document_id: string
  office_id: string
  state: string
  since: Instant
  /** Null for a job. */
  by_user: string | null
  reason: string | null
  /** The end of a postponement, or of the block; null for other states. */
  until: Instant | null
}
