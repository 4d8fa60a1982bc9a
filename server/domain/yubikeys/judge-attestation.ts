import type { Instant } from '#server/domain/time.ts'
import { isStrongAt } from '#server/domain/trust/algorithm-policy.ts'
import { isAuthorityForTesting } from '#server/domain/trust/authorities-for-testing.ts'
import { findPath, type PathFailure } from '#server/domain/trust/path.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { Attestation } from './attestation-statement.ts'
import { sortMakerCertificates } from './maker-certificate.ts'

export type AttestationVerdict =
  /** A root of the maker stands behind it: the device made the key, and keeps it. */
  | {
      kind: 'proven'
      authorities: readonly AttestingAuthority[]
      /** The root is one for tests or demonstrations. */
      forTesting: boolean
    }
  /** Nothing can be said. */
  | { kind: 'unchecked'; reason: 'no-maker-root' | Unknown }
  /** It is not what it claims to be. */
  | {
      kind: 'refuted'
      reason: Exclude<PathFailure, Unknown> | 'weak-algorithm' | 'not-by-a-device'
    }

type Unknown = 'no-issuer' | 'too-many-attempts' | 'unsupported-algorithm' | 'unsupported-key'

/** For display, from the certificate in the device to the root. */
export type AttestingAuthority = Pick<Certificate, 'name' | 'notBefore' | 'notAfter'>

/**
 * Whether a device of the maker signed the statement. Only the maker's certificates that the office added count, never an authority
 * that counts for signatures; and a certificate that came with the statement may stand between, but is never believed by itself.
 *
 * @param makers the certificates of the maker: its roots, and what stands between them and the devices
 */
export function judgeAttestation(
  { statement, others }: Attestation,
  makers: readonly Certificate[],
  at: Instant,
): AttestationVerdict {
  const { roots, intermediates } = sortMakerCertificates(makers)
  if (roots.length === 0) return { kind: 'unchecked', reason: 'no-maker-root' }
  const found = findPath(statement, {
    candidates: [...others, ...intermediates],
    anchors: roots.map(asAnchor),
    at,
  })
  if (found.kind === 'none') return verdictOfFailure(found.reason)
  if (!found.signatures.every((facts) => isStrongAt(facts, at)))
    return { kind: 'refuted', reason: 'weak-algorithm' }
  // The maker's roots also issue other certificates; a statement is signed by the key in slot f9 of a device.
  if (found.path.length < 3) return { kind: 'refuted', reason: 'not-by-a-device' }
  return {
    kind: 'proven',
    forTesting: found.anchor.forTesting,
    authorities: found.path.slice(1).map(({ name, notBefore, notAfter }) => ({
      ...{ name, notBefore, notAfter },
    })),
  }
}

function verdictOfFailure(reason: PathFailure): AttestationVerdict {
  switch (reason) {
    case 'no-issuer':
    case 'too-many-attempts':
    case 'unsupported-algorithm':
    case 'unsupported-key':
      return { kind: 'unchecked', reason }
    default:
      return { kind: 'refuted', reason }
  }
}

/** The maker answers no questions about revocation. */
const asAnchor = (certificate: Certificate): TrustAnchor => ({
  certificate,
  label: certificate.name,
  forTesting: isAuthorityForTesting(certificate),
  revocation: 'when-available',
})
