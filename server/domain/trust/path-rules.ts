import { DerError } from '#server/domain/asn1/der.ts'
import {
  ID_BASIC_CONSTRAINTS,
  ID_CERTIFICATE_POLICIES,
  ID_CRL_DISTRIBUTION_POINTS,
  ID_EXTENDED_KEY_USAGE,
  ID_INHIBIT_ANY_POLICY,
  ID_ISSUER_ALTERNATIVE_NAME,
  ID_KEY_USAGE,
  ID_NAME_CONSTRAINTS,
  ID_OCSP_NO_CHECK,
  ID_POLICY_CONSTRAINTS,
  ID_POLICY_MAPPINGS,
  ID_QC_STATEMENTS,
  ID_SUBJECT_ALTERNATIVE_NAME,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf, keyUsageOf } from '#server/domain/x509/extensions.ts'
import { policyStatementsOf } from './certificate-policies.ts'
import { isSelfIssued } from './issued-by.ts'
import { areNamesAllowed, nameConstraintsOf } from './name-constraints.ts'
import { doPoliciesHold, type PolicyRequirements } from './policy-rules.ts'

/** Why a path whose signatures are right does not hold. */
export type PathFault =
  | 'expired'
  | 'not-yet-valid'
  | 'issuer-is-no-authority'
  | 'issuer-may-not-sign-certificates'
  | 'path-too-long'
  | 'unknown-critical-extension'
  /** The name constraints of an authority above exclude the name of the certificate. */
  | 'name-not-allowed'
  /** A policy is asked for, and none runs through the whole path. */
  | 'no-valid-policy'
  /** An extension that the rules need cannot be read. */
  | 'malformed'

/** Extensions that may be critical: we apply them, or they do not restrict the path. */
const KNOWN_CRITICAL = new Set([
  ID_BASIC_CONSTRAINTS,
  ID_KEY_USAGE,
  ID_EXTENDED_KEY_USAGE, // judged by the caller, who knows the purpose
  ID_SUBJECT_ALTERNATIVE_NAME,
  ID_ISSUER_ALTERNATIVE_NAME,
  ID_CERTIFICATE_POLICIES,
  ID_POLICY_MAPPINGS,
  ID_POLICY_CONSTRAINTS,
  ID_INHIBIT_ANY_POLICY,
  ID_NAME_CONSTRAINTS,
  ID_CRL_DISTRIBUTION_POINTS,
  ID_QC_STATEMENTS,
  ID_OCSP_NO_CHECK,
])

/**
 * The first rule that a path breaks at `at`: of one certificate, from the leaf on, then of them together;
 * undefined when it holds. Its names and signatures are already known to be right.
 *
 * @see RFC 5280, 6.1.3 and 6.1.4
 */
export function faultOf(
  path: readonly Certificate[],
  at: Instant,
  policies?: PolicyRequirements,
): { reason: PathFault; certificate: Certificate } | undefined {
  for (const [index, certificate] of path.entries()) {
    const reason = faultAt(path, index, certificate, at)
    if (reason) return { reason, certificate }
  }
  return faultTogether(path, policies)
}

function faultTogether(path: readonly Certificate[], policies: PolicyRequirements | undefined) {
  const [leaf] = path
  if (!leaf) return undefined
  try {
    const misnamed = path.find((certificate, index) => !isNamedRightly(path, index, certificate))
    if (misnamed) return { reason: 'name-not-allowed', certificate: misnamed } as const
    if (!doPoliciesHold(path, policies))
      return { reason: 'no-valid-policy', certificate: leaf } as const
    return undefined
  } catch (error) {
    if (error instanceof DerError) return { reason: 'malformed', certificate: leaf } as const
    throw error
  }
}

/** Name constraints do not apply to a self-issued certificate in the middle of a path. @see RFC 5280, 6.1.3 (b) */
function isNamedRightly(
  path: readonly Certificate[],
  index: number,
  certificate: Certificate,
): boolean {
  if (index > 0 && isSelfIssued(certificate)) return true
  const above = path.slice(index + 1).flatMap((issuer) => nameConstraintsOf(issuer) ?? [])
  return areNamesAllowed(certificate, above)
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
    mustBeReadable(certificate, isAnchor)
    return index === 0 ? undefined : issuerFault(path.slice(1, index), certificate, isAnchor)
  } catch (error) {
    if (error instanceof DerError) return 'malformed'
    throw error
  }
}

/** Reads every rule that this certificate sets for the path, so that an unreadable one is reported here. */
function mustBeReadable(certificate: Certificate, isAnchor: boolean) {
  nameConstraintsOf(certificate)
  if (!isAnchor) policyStatementsOf(certificate)
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
