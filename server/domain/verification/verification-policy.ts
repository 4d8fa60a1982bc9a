import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { Duration, Instant } from '#server/domain/time.ts'
import type { ConstanciaIssuer } from '#server/domain/timestamp/constancia-issuer.ts'
import type { AlgorithmPolicy } from '#server/domain/trust/algorithm-policy.ts'
import type { TrustAnchor, TrustedResponder } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** Anchors, answers about revocation, and the time of the verification. Plain data: it crosses threads. */
export type VerificationPolicy = {
  anchors: readonly TrustAnchor[]
  /** Certificates that may stand between a signer and an anchor. */
  candidates: readonly Certificate[]
  at: Instant
  /** Anchors for timestamps, beside `anchors`. */
  timestampAnchors?: readonly TrustAnchor[]
  /** The issuers whose constancias of conservation count; none when absent. */
  constancias?: ConstanciaPolicy
  /** What authorities answered when they were asked about certificates, beside what files bring along. */
  evidence?: RevocationValues
  /** Responders that the office trusts for any authority, beside those that an authority delegated. */
  responders?: readonly TrustedResponder[]
  /** How long an answer from before the time in question counts although it was over by then. */
  tolerance?: Duration
  /** Until when which algorithms prove anything. */
  algorithms?: AlgorithmPolicy
}

export type ConstanciaPolicy = {
  /** The pinned roots under which issuers stand. */
  anchors: readonly TrustAnchor[]
  issuers: readonly ConstanciaIssuer[]
}
