import type { Instant } from '#server/domain/time.ts'
import type { TrustScope } from '#server/domain/trust/known-authority.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** The authorities that are trusted now, in an office or where no office is concerned: a decision applies from its commit on. */
export type TrustStore = {
  policy(now: Instant, scope: TrustScope): Promise<VerificationPolicy>
  /** Changes whenever an anchor changes, so that verdicts under other anchors are not reused. */
  fingerprint(scope: TrustScope): Promise<string>
  /** Anchors of the installation without an administrator's decision: those of a demo. */
  readonly builtIn: readonly TrustAnchor[]
}
