import type { Duration, Instant } from '#server/domain/time.ts'
import type { AlgorithmPolicy } from '#server/domain/trust/algorithm-policy.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { RevocationReason } from './reason.ts'
import type { RevocationValues } from './revocation-values.ts'

/** Was this certificate revoked at that time? */
export type RevocationQuestion = {
  certificate: Certificate
  /** Whose key signed `certificate`, on a path that is already known to hold. */
  issuer: Certificate
  /** The next one on that path, where there is one: authorities that change keys sign lists with another. */
  parent?: Certificate
  evidence: RevocationValues
  /** Certificates that may have signed an answer, beside those that it brings. */
  candidates: readonly Certificate[]
  /** Responders that the office trusts for any authority (RFC 6960, 4.2.2.2, "local configuration"). */
  responders?: readonly Certificate[]
  /** The time of the question: that which is proven for a signature, else now. */
  at: Instant
  now: Instant
  /** How long an answer from before `at` counts although it says that it is over, or says nothing. */
  tolerance?: Duration
  algorithms?: AlgorithmPolicy
}

/** Why an answer, or the lack of one, says nothing about the certificate; the last of this list says most. */
export const REVOCATION_DOUBTS = [
  'no-answer',
  'malformed',
  'refused',
  'try-later',
  'unknown-to-responder',
  /** A list of part of what an authority revoked, or something critical that we do not understand. */
  'not-applicable',
  /** The responder is not authorized by the issuer. */
  'unauthorized-responder',
  'bad-signature',
  'weak-algorithm',
  'from-the-future',
  /** It was over before the time of the question. */
  'stale',
  /** Made when the certificate had expired, by an authority that forgets those. */
  'expired-certificates-forgotten',
] as const
export type RevocationDoubt = (typeof REVOCATION_DOUBTS)[number]

/** What is known about a certificate at the time of the question. */
export type RevocationJudgement = {
  /** `good` also for a certificate that was revoked later: `revokedAt` is then after the time of the question. */
  status: 'good' | 'revoked' | 'unknown'
  source: 'ocsp' | 'crl' | 'embedded' | null
  /** As of when the authority's word was right; null without any. */
  checkedAt: Instant | null
  /** The earliest that an answer states; `source` and `checkedAt` are of that answer if `revoked`. */
  revokedAt: Instant | null
  /** The gravest that any answer states. */
  reason: RevocationReason | null
  /** Only when `unknown`. */
  why?: RevocationDoubt
}

/** What one answer says once it is known to come from the authority. */
export type Statement = {
  kind: 'ocsp' | 'crl'
  source: 'embedded' | 'fetched'
  says: { kind: 'good' } | { kind: 'revoked'; at: Instant; reason: RevocationReason | null }
  /** It was right at this time. */
  thisUpdate: Instant
  nextUpdate: Instant | undefined
  /** Certificates that expired after this time are still spoken of; undefined: only those in force. */
  expiredSince: Instant | undefined
  /** Signed with something that proves nothing any more. */
  isWeak: boolean
}

/** What an answer comes to: word of the authority, or why there is none. */
export type Finding = Statement | RevocationDoubt
