import type { Instant } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** Timestamps (RFC 3161). */
export type TimestampAuthorities = {
  /**
   * A timestamp of the first of these authorities whose answer is to this very request, whole, and signed by
   * an authority under an anchor of the policy. Each has ten seconds; one that is down, refuses or answers anything
   * else costs its time and is named, and never makes this throw. Never inside of a transaction.
   *
   * @param digest SHA-256 of what is stamped
   */
  stamp(
    digest: Uint8Array,
    authorities: readonly TimestampAuthority[],
    policy: VerificationPolicy,
  ): Promise<TimestampOutcome>
}

/** An authority that an office asks for timestamps. */
export type TimestampAuthority = {
  /** As the office calls it. */
  name: string
  url: string
  login: { username: string; password: string } | null
  /** Under which rules it must work; null: whichever are its own. */
  policy: string | null
}

export type TimestampOutcome =
  | {
      kind: 'stamped'
      /** The token alone, as it came. */
      token: Uint8Array
      time: Instant
      /** From the authority's certificate to the anchor, both included. */
      path: readonly Certificate[]
      /** Which of them answered. */
      by: string
      /** Of those that were asked before. */
      failures: readonly TimestampFailure[]
    }
  | { kind: 'unavailable'; failures: readonly TimestampFailure[] }

/** `reason` is for the log: a status, what the network said, or a `TimeStampFault`. */
export type TimestampFailure = { name: string; reason: string }
