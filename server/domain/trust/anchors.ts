import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'
import { isAuthorityForTesting } from './authorities-for-testing.ts'
import { isSelfSigned } from './issued-by.ts'
import type { TrustAnchor } from './trust-anchor.ts'

/**
 * Sorts the certificates of a trust folder: those that signed themselves are anchors, the others are
 * candidates for the path to them. If none is self-signed, the authorities in the folder are the anchors: a folder
 * with `AC UAT` alone trusts `AC UAT`. Authorities known to be for testing stay so under any `trust`.
 */
export function anchorsFromCertificates(
  certificates: readonly Certificate[],
  trust: Omit<TrustAnchor, 'certificate'>,
): { anchors: TrustAnchor[]; candidates: Certificate[] } {
  const roots = certificates.filter(isSelfSigned)
  const trusted = roots.length > 0 ? roots : certificates.filter(isAuthority)
  return {
    anchors: trusted.map((certificate) => ({
      certificate,
      ...trust,
      forTesting: trust.forTesting || isAuthorityForTesting(certificate),
    })),
    candidates: certificates.filter((certificate) => !trusted.includes(certificate)),
  }
}

const isAuthority = (certificate: Certificate) =>
  basicConstraintsOf(certificate)?.isAuthority === true
