import { HONEST_ENDS } from '#server/domain/revocation/reason.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import type { TimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import {
  isForTimeStamping,
  type TimeStampFacts,
  type TimeStampProblem,
} from '#server/domain/timestamp/verify-time-stamp.ts'
import type { PathResult } from '#server/domain/trust/path.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import { type Circumstances, pathFor } from '#server/domain/verification/circumstances.ts'
import { type Warning, warning } from '#server/domain/verification/codes/warning.ts'
import { isNameVouchedFor } from '#server/domain/verification/judge-trust.ts'
import { maskName } from '#server/domain/verification/masking.ts'
import { revocationOnPath } from '#server/domain/verification/path-revocation.ts'
import type { SubIndication } from '#server/domain/verification/report.ts'
import {
  revocationFactsOf,
  type TrustFacts,
  UNKNOWN_REVOCATION,
  untrusted,
} from '#server/domain/verification/trust-facts.ts'
import { isWeakAt } from '#server/domain/verification/weakness.ts'
import { CLOCK_SKEW } from './clock-skew.ts'

export type TimeStampJudgement = {
  kind: 'signature' | 'document' | 'constancia'
  /** Undefined when it cannot be read. */
  time: Instant | undefined
  /** For people; null when it cannot be found. */
  authority: string | null
  /** An anchor vouches for the authority, whose key made the timestamp. */
  isVouched: boolean
  isValid: boolean
  trust: TrustFacts
  /** It is valid, and its authority's word counts: what it covers existed at `time`. */
  isProof: boolean
  /** Why it is no proof; null when it is one. */
  reason: Warning | null
}

/**
 * Whether a timestamp proves that what it covers existed at its time.
 *
 * @param provenAt the earliest time at which a newer one proves that this one existed; undefined: only now
 * @see ETSI EN 319 102-1 V1.3.1, 5.4 and 5.6.2.4; RFC 3161, 4
 */
export function judgeTimeStamp(
  token: TimeStampToken,
  facts: TimeStampFacts,
  options: {
    kind: 'signature' | 'document'
    provenAt: Instant | undefined
    circumstances: Circumstances
  },
): TimeStampJudgement {
  const trust = trustIn(token, facts, options)
  const isVouchedFor = !facts.constancia || doesRootVouch(token, facts, options.circumstances)
  const isValid = facts.isValid && isVouchedFor
  const isProof = isValid && trust.trusted && trust.subIndication === null
  const fault = facts.problem && warning(`timestamp-${facts.problem}`)
  return {
    kind: facts.constancia ? 'constancia' : options.kind,
    time: token.info.time,
    authority: authorityOf(facts, isVouchedFor),
    isVouched:
      isValid &&
      isNameVouchedFor(
        facts.certificate!,
        trust,
        facts.constancia ? 'constancias' : 'stamping',
        options.circumstances,
      ),
    isValid,
    trust,
    isProof,
    reason: isProof
      ? null
      : (fault ??
        (trust.trusted && !isVouchedFor
          ? warning('constancia-root-differs')
          : (trust.warnings[0] ?? null))),
  }
}

/**
 * Any token can name the policy of an issuer of constancias. Only its root shows that the issuer works under it:
 * the root issued the certificate itself (some providers certify people too), or a pin names it.
 */
function doesRootVouch(
  { info }: TimeStampToken,
  { certificate, constancia }: TimeStampFacts,
  circumstances: Circumstances,
): boolean {
  if (!certificate) return false
  const found = pathFor(certificate, 'constancias', info.time, circumstances)
  const isPinned = constancia !== undefined && constancia.certificates.length > 0
  return found.kind === 'found' && (isPinned || found.path.length <= 2)
}

/** A certificate that is not for timestamping may belong to any person, and a forger can embed it: it is not named. */
function authorityOf(
  { certificate, constancia }: TimeStampFacts,
  isVouchedFor: boolean,
): string | null {
  if (!certificate) return null
  if (constancia && isVouchedFor) return constancia.name
  return isForTimeStamping(certificate) ? certificate.name : maskName(certificate.name)
}

type Options = Parameters<typeof judgeTimeStamp>[2]

function trustIn(
  { info }: TimeStampToken,
  facts: TimeStampFacts,
  { provenAt, circumstances }: Options,
): TrustFacts {
  const { policy } = circumstances
  if (!facts.certificate)
    return doubtful('NO_SIGNING_CERTIFICATE_FOUND', warning('timestamp-certificate-missing'))
  const constraint = facts.problem && CONSTRAINTS[facts.problem]
  if (constraint) return doubtful(constraint, warning(`timestamp-${facts.problem!}`))
  const purpose = facts.constancia ? 'constancias' : 'stamping'
  const at = provenAt ?? policy.at
  const pathAt = (time: Instant) => pathFor(facts.certificate!, purpose, time, circumstances)
  const own = pathAt(info.time)
  if (own.kind === 'none') return { ...untrusted(own), warnings: [warningAbout(own)] }
  const contradiction = contradictionIn(info.time, provenAt, policy.at)
  if (contradiction) return doubtful('SIG_CONSTRAINTS_FAILURE', contradiction)
  const later = pathAt(at)
  // The law lets a constancia prove its date for years; timestamps need a newer one in time.
  if (later.kind === 'none' && !facts.constancia)
    return { ...untrusted(later), warnings: [warningAbout(later)] }
  const used = {
    signatures: [facts.cms.signature, ...own.signatures],
    digests: [info.digest, facts.cms.digest],
  }
  const trusted = { trusted: true, forTesting: isForTesting(own.anchor, facts) }
  if (isWeakAt(used, at, policy))
    return {
      ...doubtful('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', warning('timestamp-algorithm-weak')),
      ...trusted,
    }
  return { ...trusted, ...revocationOf(own, { time: info.time, at, provenAt }, circumstances) }
}

/** What stands against a token that is signed as it says. */
const CONSTRAINTS: Partial<Record<TimeStampProblem, SubIndication>> = {
  'certificate-not-bound': 'SIG_CONSTRAINTS_FAILURE',
  malformed: 'SIG_CONSTRAINTS_FAILURE',
  'critical-extension': 'SIG_CONSTRAINTS_FAILURE',
  'not-for-time-stamping': 'CHAIN_CONSTRAINTS_FAILURE',
}

const isForTesting = ({ forTesting }: TrustAnchor, { constancia }: TimeStampFacts) =>
  forTesting || constancia?.environment === 'pilot'

function contradictionIn(time: Instant, provenAt: Instant | undefined, now: Instant) {
  if (time > now + CLOCK_SKEW) return warning('timestamp-in-future')
  if (provenAt !== undefined && time > provenAt + CLOCK_SKEW)
    return warning('timestamp-after-its-proof')
  return undefined
}

type Moments = { time: Instant; at: Instant; provenAt: Instant | undefined }

function revocationOf(
  { path, anchor }: Extract<PathResult, { kind: 'found' }>,
  { time, at, provenAt }: Moments,
  circumstances: Circumstances,
): Pick<TrustFacts, 'revocation' | 'subIndication' | 'warnings'> & { trusted: boolean } {
  // What the file brings along was asked when it was stamped, not when we look at it.
  const { leaf, revokedAuthority, unknownAuthority } = revocationOnPath(
    path,
    at,
    circumstances,
    time,
  )
  const revocation = revocationFactsOf(leaf)
  const answer = (
    trusted: boolean,
    subIndication: SubIndication | null,
    ...warnings: Warning[]
  ) => ({
    trusted,
    subIndication,
    warnings,
    revocation,
  })
  const hasEndedLater =
    leaf.revokedAt !== null && time < leaf.revokedAt && HONEST_ENDS.includes(leaf.reason)
  if (leaf.status === 'revoked' && !hasEndedLater)
    return answer(
      false,
      provenAt === undefined ? 'REVOKED_NO_POE' : 'REVOKED',
      warning('timestamp-certificate-revoked', { revokedAt: toTimestamp(leaf.revokedAt!) }),
    )
  if (revokedAuthority)
    return answer(false, 'REVOKED_CA_NO_POE', warning('timestamp-authority-revoked'))
  if (leaf.status === 'unknown' && anchor.revocation === 'required')
    return answer(true, 'TRY_LATER', warning('timestamp-revocation-unknown'))
  if (unknownAuthority && anchor.revocation === 'required')
    return answer(true, 'TRY_LATER', warning('timestamp-authority-revocation-not-checked'))
  if (leaf.status === 'unknown')
    return answer(true, null, warning('timestamp-revocation-not-checked'))
  return answer(true, null)
}

const doubtful = (subIndication: SubIndication, why: Warning): TrustFacts => ({
  trusted: false,
  forTesting: false,
  subIndication,
  warnings: [why],
  revocation: UNKNOWN_REVOCATION,
})

function warningAbout({ reason, certificate }: Extract<PathResult, { kind: 'none' }>): Warning {
  switch (reason) {
    case 'expired':
      return warning('timestamp-certificate-expired', {
        notAfter: toTimestamp(certificate.notAfter),
      })
    case 'not-yet-valid':
      return warning('timestamp-before-certificate')
    case 'no-issuer':
    case 'bad-signature':
      return warning('timestamp-authority-unknown')
    default:
      return warning('timestamp-chain-rules-broken')
  }
}
