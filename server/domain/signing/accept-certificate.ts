import { DerError } from '#server/domain/asn1/der.ts'
import { diagnoseCertificate, type EfirmaProblem } from '#server/domain/efirma/diagnosis.ts'
import type { Instant } from '#server/domain/time.ts'
import { findPath } from '#server/domain/trust/path.ts'
import { signingProfileOf } from '#server/domain/trust/profile.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

export type CertificateAcceptance =
  | {
      kind: 'accepted'
      certificate: Certificate
      /** From the signer to the anchor, both included. */
      path: readonly Certificate[]
      /** The anchor is one for tests or demonstrations. */
      forTesting: boolean
    }
  | ({ kind: 'refused' } & EfirmaProblem)

/**
 * Checks that the file is the certificate of an e.firma with which this person may sign now, from a trusted
 * authority.
 *
 * @param file DER or PEM
 */
export function acceptCertificate(
  file: Uint8Array,
  options: {
    now: Instant
    /** RFC of the required holder; any holder when absent. */
    rfc?: string
    trust: { anchors: readonly TrustAnchor[]; candidates: readonly Certificate[] }
  },
): CertificateAcceptance {
  const { now, rfc, trust } = options
  const diagnosis = diagnoseCertificate(file, { now, ...(rfc && { requiredRfc: rfc }) })
  if (diagnosis.kind === 'refused') return diagnosis
  const { certificate } = diagnosis
  if (!maySign(certificate)) return { kind: 'refused', code: 'unknown-kind', file: 'certificate' }
  const found = findPath(certificate, { ...trust, at: now })
  if (found.kind === 'none')
    return { kind: 'refused', code: 'untrusted-issuer', file: 'certificate' }
  return {
    kind: 'accepted',
    certificate,
    path: found.path,
    forTesting: found.anchor.forTesting,
  }
}

/** An unreadable key usage allows nothing. */
function maySign(certificate: Certificate): boolean {
  try {
    return signingProfileOf(certificate).kind === 'may-sign'
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
