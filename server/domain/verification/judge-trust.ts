import { DerError } from '#server/domain/asn1/der.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import type { RevocationJudgement } from '#server/domain/revocation/question.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import {
  areAuthoritiesForDocuments,
  isForDocuments,
} from '#server/domain/trust/document-purposes.ts'
import { type PathResult, pathIndicationOf } from '#server/domain/trust/path.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { keyUsageOf } from '#server/domain/x509/extensions.ts'
import { type Circumstances, type Purpose, pathFor } from './circumstances.ts'
import { type Warning, warning } from './codes/warning.ts'
import { type PathRevocation, revocationOnPath } from './path-revocation.ts'
import { printable } from './signature-content.ts'
import { CLOCK_SKEW } from './time/clock-skew.ts'
import { revocationFactsOf, type TrustFacts, untrusted } from './trust-facts.ts'
import { isWeakAt } from './weakness.ts'

export type SigningTimes = {
  /** The signer's word. */
  claimed: Instant | undefined
  /** The earliest time at which the signature is proven to exist. */
  proven: Instant | undefined
}

type FoundPath = Extract<PathResult, { kind: 'found' }>

/**
 * Whether a path leads from the signer to an anchor, and whether it was valid and unrevoked: at the
 * time that is proven for the signature, else at the instant of the question.
 *
 * What is proven stays: a certificate that has expired or was revoked since does not spoil the signature. The
 * claimed time is the signer's word. It can only take trust away.
 *
 * @see ETSI EN 319 102-1 V1.3.1, 5.2.6, 5.5.4 and 5.6.2; RFC 5280, 6.1
 */
export function judgeTrust(
  signer: Certificate,
  times: SigningTimes,
  circumstances: Circumstances,
): TrustFacts {
  const pathAt = (at: Instant) => pathFor(signer, 'signing', at, circumstances)
  const at = withinSkew(times.proven, signer) ?? circumstances.policy.at
  const found = pathAt(at)
  const time = withinSkew(times.claimed, signer)
  const claimed = time === undefined ? undefined : doesHoldAt(found, time) ? found : pathAt(time)
  if (found.kind === 'found') {
    const revocation = revocationOnPath(found.path, at, circumstances)
    return judgeFound(found, { claimed, times, revocation, circumstances })
  }
  if (found.reason === 'not-yet-valid' && times.proven !== undefined && found.isAboutSigner)
    return {
      ...untrusted(found),
      subIndication: 'NOT_YET_VALID',
      warnings: [
        warning('signed-before-certificate', {
          provenTime: toTimestamp(times.proven),
          notBefore: toTimestamp(signer.notBefore),
        }),
      ],
    }
  if (found.reason === 'expired' && claimed?.kind === 'found')
    return judgeExpired(claimed, found.certificate, times, circumstances)
  return untrusted(found)
}

/**
 * Whether a path leads from the certificate to an anchor for `purpose`: now or, if it has expired or was revoked
 * since, when it was issued. The authority then answers for the name.
 */
export const isNameVouchedFor = (
  certificate: Certificate,
  { trusted }: Pick<TrustFacts, 'trusted'>,
  purpose: Purpose,
  circumstances: Circumstances,
): boolean =>
  trusted || pathFor(certificate, purpose, certificate.notBefore, circumstances).kind === 'found'

/** A certificate is used in the minute in which it was issued, and two clocks tell that minute. */
function withinSkew(time: Instant | undefined, { notBefore }: Certificate): Instant | undefined {
  const isBarelyBefore = time !== undefined && time < notBefore && notBefore <= time + CLOCK_SKEW
  return isBarelyBefore ? notBefore : time
}

/** Spares the search for another path. */
const doesHoldAt = (found: PathResult, time: Instant): boolean =>
  found.kind === 'found' &&
  found.path.every(({ notBefore, notAfter }) => notBefore <= time && time <= notAfter)

type Found = {
  claimed: PathResult | undefined
  times: SigningTimes
  revocation: PathRevocation
  circumstances: Circumstances
}

function judgeFound(path: FoundPath, found: Found): TrustFacts {
  const { claimed, times, revocation } = found
  const { leaf, revokedAuthority, unknownAuthority } = revocation
  const facts = {
    trusted: true,
    forTesting: path.anchor.forTesting,
    revocation: revocationFactsOf(leaf),
  }
  const signer = path.path[0] as Certificate
  const doubtful = (subIndication: TrustFacts['subIndication'], why: Warning) => ({
    ...facts,
    subIndication,
    warnings: [why],
  })
  const isOutOfBounds = claimed?.kind === 'none' && isAboutTime(claimed)
  if (leaf.status === 'revoked') return { ...facts, ...judgeRevoked(leaf, found) }
  if (times.proven === undefined && isOutOfBounds)
    return {
      ...doubtful('OUT_OF_BOUNDS_NO_POE', warning('certificate-invalid-at-claimed-time')),
      trusted: false,
    }
  if (revokedAuthority)
    return {
      ...doubtful('REVOKED_CA_NO_POE', warning('authority-revoked')),
      trusted: false,
    }
  if (satProfileOf(signer).kind === 'csd')
    return doubtful('SIG_CONSTRAINTS_FAILURE', warning('certificate-for-seals'))
  if (!isForSigning(signer, path))
    return doubtful('SIG_CONSTRAINTS_FAILURE', warning('certificate-not-for-signing'))
  if (isChainWeak(path, found))
    return doubtful('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', warning('chain-algorithm-weak'))
  if (leaf.status === 'unknown' && path.anchor.revocation === 'required')
    return {
      ...doubtful('TRY_LATER', warning('revocation-unknown')),
      warnings: [warning('revocation-unknown'), ...doubtsOf(leaf)],
    }
  if (unknownAuthority && path.anchor.revocation === 'required')
    return doubtful('TRY_LATER', notChecked(unknownAuthority))
  return {
    ...facts,
    subIndication: null,
    warnings: [
      ...remarksOn(leaf, times),
      ...(unknownAuthority && leaf.status !== 'unknown' ? [notChecked(unknownAuthority)] : []),
      ...(satProfileOf(signer).kind === 'unknown' ? [warning('certificate-not-efirma')] : []),
    ],
  }
}

const notChecked = ({ name }: Certificate) =>
  warning('authority-revocation-not-checked', { authority: printable(name) })

const isAboutTime = ({ reason }: Extract<PathResult, { kind: 'none' }>) =>
  pathIndicationOf(reason) === 'OUT_OF_BOUNDS'

function isChainWeak({ signatures }: FoundPath, { times, circumstances }: Found): boolean {
  const { policy } = circumstances
  return isWeakAt({ signatures, digests: [] }, times.proven ?? policy.at, policy)
}

function judgeRevoked(
  { revokedAt, reason }: RevocationJudgement,
  { claimed, times }: Pick<Found, 'claimed' | 'times'>,
): Pick<TrustFacts, 'trusted' | 'subIndication' | 'warnings'> {
  const revoked = { revokedAt: toTimestamp(revokedAt!), reason }
  if (times.proven !== undefined)
    return {
      trusted: false,
      subIndication: 'REVOKED',
      warnings: [
        warning('revoked-before-proven-time', {
          ...revoked,
          provenTime: toTimestamp(times.proven),
        }),
      ],
    }
  const isClaimedBefore =
    claimed?.kind === 'found' && times.claimed !== undefined && times.claimed < revokedAt!
  const code = isClaimedBefore ? 'revoked-since-claimed-time' : 'revoked-before-claimed-time'
  return {
    trusted: isClaimedBefore,
    subIndication: 'REVOKED_NO_POE',
    warnings: [warning(code, revoked)],
  }
}

function judgeExpired(
  claimed: FoundPath,
  expired: Certificate,
  times: SigningTimes,
  circumstances: Circumstances,
): TrustFacts {
  const { leaf } = revocationOnPath(claimed.path, circumstances.policy.at, circumstances)
  const facts = {
    trusted: true,
    forTesting: claimed.anchor.forTesting,
    revocation: revocationFactsOf(leaf),
  }
  if (leaf.status === 'revoked')
    return { ...facts, ...judgeRevoked(leaf, { claimed, times: { ...times, proven: undefined } }) }
  return {
    ...facts,
    subIndication: 'OUT_OF_BOUNDS_NO_POE',
    warnings: [
      warning('certificate-expired-since-claimed-time', {
        notAfter: toTimestamp(expired.notAfter),
      }),
    ],
  }
}

function remarksOn(leaf: RevocationJudgement, times: SigningTimes): Warning[] {
  if (leaf.status === 'unknown') return [warning('revocation-not-checked'), ...doubtsOf(leaf)]
  const { revokedAt } = leaf
  if (revokedAt === null || times.proven === undefined) return []
  return [warning('revoked-after-proven-time', { revokedAt: toTimestamp(revokedAt) })]
}

const doubtsOf = ({ why }: RevocationJudgement) =>
  why && why !== 'no-answer' ? [warning('revocation-answer-doubtful', { doubt: why })] : []

/** A certificate that names no usage may be used for anything. @see RFC 5280, 4.2.1.3 */
function isForSigning(signer: Certificate, { path }: FoundPath): boolean {
  try {
    const usage = keyUsageOf(signer)
    const maySign = !usage || usage.has('digitalSignature') || usage.has('nonRepudiation')
    return maySign && isForDocuments(signer) && areAuthoritiesForDocuments(path)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
