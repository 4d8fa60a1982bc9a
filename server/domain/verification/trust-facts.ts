import type { RevocationJudgement } from '#server/domain/revocation/question.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { type PathResult, pathIndicationOf } from '#server/domain/trust/path.ts'
import { type Warning, warning } from './codes/warning.ts'
import type { RevocationFacts, SubIndication } from './report.ts'

/** Whether a certificate is trusted, and why not. */
export type TrustFacts = {
  trusted: boolean
  forTesting: boolean
  /** Null when nothing stands against the certificate. */
  subIndication: SubIndication | null
  /** The first one says why when `subIndication` is not null. */
  warnings: Warning[]
  revocation: RevocationFacts
}

export const UNKNOWN_REVOCATION: RevocationFacts = {
  status: 'unknown',
  source: null,
  checkedAt: null,
  revokedAt: null,
  reason: null,
}

export function revocationFactsOf(judgement: RevocationJudgement): RevocationFacts {
  const { status, source, checkedAt, revokedAt, reason } = judgement
  const timestamp = (time: Instant | null) => (time === null ? null : toTimestamp(time))
  return {
    status,
    source,
    checkedAt: timestamp(checkedAt),
    revokedAt: timestamp(revokedAt),
    reason,
  }
}

/** No path leads from the certificate to an anchor. */
export function untrusted(result: Extract<PathResult, { kind: 'none' }>): TrustFacts {
  const indication = pathIndicationOf(result.reason)
  return {
    trusted: false,
    forTesting: false,
    subIndication: indication === 'OUT_OF_BOUNDS' ? 'OUT_OF_BOUNDS_NO_POE' : indication,
    warnings: [warningAbout(result)],
    revocation: UNKNOWN_REVOCATION,
  }
}

function warningAbout({ reason, certificate }: Extract<PathResult, { kind: 'none' }>): Warning {
  switch (reason) {
    case 'expired':
      return warning('certificate-expired', { notAfter: toTimestamp(certificate.notAfter) })
    case 'not-yet-valid':
      return warning('certificate-not-yet-valid', { notBefore: toTimestamp(certificate.notBefore) })
    case 'bad-signature':
      return warning('certificate-signature-wrong')
    case 'no-issuer':
      return warning('authority-unknown')
    case 'too-many-attempts':
      return warning('too-many-certificates')
    case 'unsupported-key':
      return warning('chain-key-unsupported')
    default:
      return warning('chain-rules-broken')
  }
}
