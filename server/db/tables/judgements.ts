import type { Instant } from '#server/domain/time.ts'

export type UploadJudgementRow = {
  document_id: string
  version: number
  sha256: string
  /** Of the verifier; 0 while the file waits to be judged. */
  edition: number
  /** Fingerprint of the trusted authorities; null if the verdict does not depend on them. */
  trust_fingerprint: string | null
  /** Null while the file waits to be judged for the first time. */
  verdict: string | null
  /** As JSON; null while the file waits, and for a file that needed no verifier. */
  headline: string | null
  /** As JSON. */
  findings: string
  at: Instant
  /** The job does not judge the file before this time. */
  next_try: Instant
}

export type AcknowledgementRow = {
  document_id: string
  /** Digest of the judgement that was shown. */
  judgement: string
  /** The user, or the external signer. */
  acknowledged_by: string
  /** As JSON. */
  statements: string
  user_id: string | null
  session_signer_id: string | null
  verdict: string
  sentence: string
  /** As JSON. */
  findings: string
  at: Instant
}
