import { sha256 } from '#server/domain/crypto/sha256.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { CertificateId, OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { displayName } from '#server/domain/x509/name.ts'

/** The entry for a certificate that is new to the office. */
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
  const { kind, rfc, curp, certificateNumber } = satProfileOf(certificate)
  return {
    id: found.id,
    officeId: found.officeId,
    der: certificate.der,
    sha256: sha256(certificate.der),
    kind,
    rfc,
    curp,
    name: certificate.name,
    number: certificateNumber,
    issuer: displayName(certificate.issuer),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    userId: found.userId,
    firstSeenAt: found.at,
    provenance: found.isForTesting ? 'demo' : 'real',
  }
}
