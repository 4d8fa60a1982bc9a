import type {
  CertificateStanding,
  HeldCertificate,
} from '#server/domain/identity/held-certificate.ts'

/* Words for the domain's results about certificates, es-MX. */

export const certificateStandings: Record<CertificateStanding, string> = {
  'not-yet-valid': 'Aún no vigente',
  'in-force': 'Vigente',
  expiring: 'Por vencer',
  expired: 'Vencido',
  revoked: 'Revocado',
}

/** Short names, for a column. */
export const certificateKinds: Record<HeldCertificate['kind'], string> = {
  'efirma-natural': 'e.firma',
  'efirma-legal': 'e.firma moral',
  csd: 'Sello digital',
  unknown: 'Otro',
}
