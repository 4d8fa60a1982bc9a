import type { Instant } from '#server/domain/time.ts'

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
  not_before: Instant
  not_after: Instant
  user_id: string | null
  first_seen_at: Instant
  provenance: string
  revocation_asked_at: Instant | null
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
  /** What titles are sorted by, see `titleKey`. */
  title_key: string
  /** As JSON. */
  instrument: string | null
  state: string
  state_since: Instant
  state_by: string | null
  version: number
  created_at: Instant
  created_by: string
  /** `on` or `off`. */
  public_lookup: string
  /** Null: since the document exists. */
  public_lookup_since: Instant | null
  /** The notary who decided; null while kind and act decide. */
  public_lookup_by: string | null
  /** `on` or `off`. */
  public_pictures: string
  /** Null: since the document exists. */
  public_pictures_since: Instant | null
  public_pictures_by: string | null
  /** A StampChoice as JSON; null if the program finds a place. */
  stamp_choice: string | null
  /** When its file was purged; null while it is there. */
  purged_at: Instant | null
  purged_by: string | null
  /** Since when it is read by those alone who decide about its end; null while it may be read. */
  blocked_at: Instant | null
}

export type DocumentViewRow = {
  id: string
  user_id: string
  name: string
  /** Folded; unique for a user. */
  name_key: string
  query: string
  created_at: Instant
}

export type DocumentVersionRow = {
  document_id: string
  version: number
  sha256: string
  bytes: number
  pages: number
  cause: string
  by_user: string | null
  session_signer_id: string | null
  /** A SigningCharacter as JSON; null in rows of earlier releases. */
  character: string | null
  at: Instant
  file_name: string
  signatures_brought: number
}

export type SignatureRow = {
  id: string
  document_id: string
  /** The version that this signature created. */
  version: number
  field: string
  certificate_id: string
  /** A user; null for an external signer. */
  signer_id: string | null
  session_signer_id: string | null
  /** A SigningCharacter as JSON; null in rows of earlier releases. */
  character: string | null
  method: string
  level: string
  signed_at: Instant
  /** Our own verifier's report from before it was stored. */
  report: string
}

export type PreparedSignatureRow = {
  id: string
  document_id: string
  /** The version that it signs. */
  version: number
  user_id: string | null
  session_signer_id: string | null
  /** A SigningCharacter as JSON; null in rows of earlier releases. */
  character: string | null
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
  created_at: Instant
  expires_at: Instant
  state: string
  state_since: Instant
}

export type VerificationReportRow = {
  sha256: string
  /** Fingerprint of the trusted authorities: the verdict depends on them. */
  trust_fingerprint: string
  report: string
  at: Instant
}

/** What a party says to pictures of the pages on the public page. */
export type PictureConsentRow = {
  document_id: string
  /** The user, or the external signer. */
  party: string
  user_id: string | null
  session_signer_id: string | null
  /** `given` or `withdrawn`. */
  state: string
  since: Instant
}

/** What a reader was shown of a version. */
export type ReadingProgressRow = {
  document_id: string
  /** `user:…` or `signer:…` */
  reader: string
  version_sha256: string
  pages: number
  last_page: number
  furthest: number
  first_at: Instant
  last_at: Instant
  /** When the reader was asked whether to sign without having seen all pages. */
  asked_at: Instant | null
}
