import type {
  CertificateStanding,
  HeldCertificate,
} from '#server/domain/identity/held-certificate.ts'

/* Words for the domain's results about certificates, es-MX. */

export const certificateKinds: Record<HeldCertificate['kind'], string> = {
  'efirma-natural': 'e.firma de persona física',
  'efirma-legal': 'e.firma de persona moral',
  csd: 'Certificado de sello digital',
  unknown: 'Otro certificado',
}

export const certificateStandings: Record<CertificateStanding, string> = {
  'not-yet-valid': 'Aún no vigente',
  'in-force': 'Vigente',
  expiring: 'Por vencer',
  expired: 'Vencido',
  revoked: 'Revocado',
}
