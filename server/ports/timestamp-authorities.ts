import type { Instant } from '#server/domain/time.ts'
import type {
  TimeStampFault,
  TimeStampRequest,
} from '#server/domain/timestamp/time-stamp-request.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** Timestamps (RFC 3161). */
export type TimestampAuthorities = {
  /**
   * Requests a timestamp from these authorities in order. Accepts the first answer that matches the request, is
   * complete, and is signed under an anchor of the policy. Each has ten seconds; failures are reported in the
   * result and never thrown. Never call it inside a transaction.
   *
   * @param digest SHA-256 of the stamped bytes
   */
  stamp(
    digest: Uint8Array,
    authorities: readonly TimestampAuthority[],
    policy: VerificationPolicy,
  ): Promise<TimestampOutcome>
}

/** An authority that an office asks for timestamps. */
export type TimestampAuthority = {
  /** Comes back with its answer or its failure. */
  id: string
  /** The office's name for it. */
  name: string
  url: string
  login: { username: string; password: string } | null
  /** The required timestamp policy; null for any. */
  policy: string | null
}

export type TimestampOutcome =
  | {
      kind: 'stamped'
      /** The token as received. */
      token: Uint8Array
      time: Instant
      /** When the first certificate from the authority to the anchor ends. */
      pathEnds: Instant
      /** The authority that answered. */
      by: string
      /** Its id. */
      byId: string
      /** Failures of the authorities asked before. */
      failures: readonly TimestampFailure[]
    }
  | { kind: 'unavailable'; failures: readonly TimestampFailure[] }

/** What an authority sent for a request. */
export type StampAnswer = {
  /** TimeStampResp, DER. */
  answer: Uint8Array
  request: TimeStampRequest
  /** When it arrived. */
  now: Instant
}

export type StampOutcome =
  | { kind: 'accepted'; token: Uint8Array; time: Instant; pathEnds: Instant }
  | { kind: 'refused'; fault: TimeStampFault }

export type TimestampFailure = {
  id: string
  name: string
  /** For the log: a status, a network error, or a `TimeStampFault`. */
  reason: string
  /** No server answered in time at the address, so that another office would wait in vain, too. */
  isSilent: boolean
}
