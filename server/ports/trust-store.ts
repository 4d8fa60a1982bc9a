import type { Instant } from '#server/domain/time.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** The authorities that this office trusts, as they stand now: a decision counts from its commit on. */
export type TrustStore = {
  policy(now: Instant): Promise<VerificationPolicy>
  /** Changes whenever an anchor does: a verdict that was reached under another one is not reused. */
  fingerprint(): Promise<string>
  /** Anchors that came with the installation, without a decision of an administrator: those of a demo. */
  readonly builtIn: readonly TrustAnchor[]
}
