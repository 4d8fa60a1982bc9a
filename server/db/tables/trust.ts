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
