import { sha256 } from '../crypto/sha256.ts'
import type { Certificate } from '../efirma/certificate.ts'
import { displayName } from '../efirma/name.ts'
import type { HeldCertificate } from '../identity/held-certificate.ts'
import type { CertificateId, OfficeId, UserId } from '../ids.ts'
import type { Instant } from '../time.ts'

/** The row of a certificate that the office meets for the first time. */
export function heldCertificateOf(
  certificate: Certificate,
  found: {
    id: CertificateId
    officeId: OfficeId
    userId: UserId | null
    at: Instant
    isForTesting: boolean
  },
): HeldCertificate {
  return {
    id: found.id,
    officeId: found.officeId,
    der: certificate.der,
    sha256: sha256(certificate.der),
    kind: certificate.kind,
    rfc: certificate.rfc,
    curp: certificate.curp,
    name: certificate.name,
    number: certificate.certificateNumber,
    issuer: displayName(certificate.issuer),
    notBefore: certificate.notBefore as Instant,
    notAfter: certificate.notAfter as Instant,
    userId: found.userId,
    firstSeenAt: found.at,
    provenance: found.isForTesting ? 'demo' : 'real',
  }
}
