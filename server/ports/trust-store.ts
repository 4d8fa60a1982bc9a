import type { Instant } from '#server/domain/time.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** The authorities that this office trusts now: a decision applies from its commit on. */
export type TrustStore = {
  policy(now: Instant): Promise<VerificationPolicy>
  /** Changes whenever an anchor changes, so that verdicts under other anchors are not reused. */
  fingerprint(): Promise<string>
  /** Anchors of the installation without an administrator's decision: those of a demo. */
  readonly builtIn: readonly TrustAnchor[]
}
