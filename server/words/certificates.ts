import type { CertificateStanding } from '#server/domain/identity/held-certificate.ts'

/* Words for the domain's results about certificates, es-MX. */

export const certificateStandings: Record<CertificateStanding, string> = {
  'not-yet-valid': 'Aún no vigente',
  'in-force': 'Vigente',
  expiring: 'Por vencer',
  expired: 'Vencido',
  revoked: 'Revocado',
}
