import type { Certificate } from '../efirma/certificate.ts'
import { DerError } from '../efirma/der.ts'
import { basicConstraintsOf, keyUsageOf } from '../efirma/extensions.ts'
import type { Instant } from '../time.ts'
import { isSelfIssued } from './issued-by.ts'

/** Why a path whose signatures are right does not hold. */
export type PathFault =
  | 'expired'
  | 'not-yet-valid'
  | 'issuer-is-no-authority'
  | 'issuer-may-not-sign-certificates'
  | 'path-too-long'
  | 'unknown-critical-extension'
  /** An extension that the rules need cannot be read. */
  | 'malformed'

/**
 * Extensions that may be critical: we apply them, or they do not narrow whom a path may name. Name and
 * policy constraints are not among them: a path under such an authority is refused.
 */
const KNOWN_CRITICAL = new Set([
  '2.5.29.19', // basicConstraints
  '2.5.29.15', // keyUsage
  '2.5.29.37', // extKeyUsage, judged by whoever knows the purpose
  '2.5.29.17', // subjectAltName
  '2.5.29.18', // issuerAltName
  '2.5.29.32', // certificatePolicies
  '2.5.29.31', // cRLDistributionPoints
  '1.3.6.1.5.5.7.1.3', // qcStatements
  '1.3.6.1.5.5.7.48.1.5', // id-pkix-ocsp-nocheck
])

/**
 * The first rule that a path breaks at `at`, from the leaf on; undefined when it holds. Its names and
 * signatures are already known to be right.
 *
 * @see RFC 5280, 6.1.3 and 6.1.4
 */
export function faultOf(
  path: readonly Certificate[],
  at: Instant,
): { reason: PathFault; certificate: Certificate } | undefined {
  for (const [index, certificate] of path.entries()) {
    const reason = faultAt(path, index, certificate, at)
    if (reason) return { reason, certificate }
  }
  return undefined
}

function faultAt(
  path: readonly Certificate[],
  index: number,
  certificate: Certificate,
  at: Instant,
): PathFault | undefined {
  const isAnchor = index === path.length - 1
  if (at < certificate.notBefore) return 'not-yet-valid'
  if (at > certificate.notAfter) return 'expired'
  try {
    if (!isAnchor && hasUnknownCriticalExtension(certificate)) return 'unknown-critical-extension'
    return index === 0 ? undefined : issuerFault(path.slice(1, index), certificate, isAnchor)
  } catch (error) {
    if (error instanceof DerError) return 'malformed'
    throw error
  }
}

/** Also two extensions with one identifier, which no reader may choose between (RFC 5280, 4.2). */
export function hasUnknownCriticalExtension({ extensions }: Certificate): boolean {
  const ids = new Set(extensions.map(({ oid }) => oid))
  return (
    ids.size !== extensions.length ||
    extensions.some(({ oid, isCritical }) => isCritical && !KNOWN_CRITICAL.has(oid))
  )
}

/** @param below the issuers between this one and the leaf */
function issuerFault(
  below: readonly Certificate[],
  issuer: Certificate,
  isAnchor: boolean,
): PathFault | undefined {
  const constraints = basicConstraintsOf(issuer)
  // Roots older than version 3 carry no extensions; to trust one is a decision, not a deduction.
  const isOldRoot = isAnchor && issuer.version < 3
  if (!constraints?.isAuthority && !isOldRoot) return 'issuer-is-no-authority'
  const usage = keyUsageOf(issuer)
  if (usage && !usage.has('keyCertSign')) return 'issuer-may-not-sign-certificates'
  const length = below.filter((certificate) => !isSelfIssued(certificate)).length
  if (length > (constraints?.pathLength ?? LONGEST)) return 'path-too-long'
  return undefined
}

const LONGEST = Number.POSITIVE_INFINITY
