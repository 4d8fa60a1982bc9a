import { z } from 'zod'
import { CertificateId, OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import { after, before, days, Instant } from '#server/domain/time.ts'
import { Shown } from './text.ts'

/** A certificate that the office has seen. */
export const HeldCertificate = z.object({
  id: CertificateId,
  officeId: OfficeId,
  der: z.instanceof(Uint8Array<ArrayBufferLike>),
  sha256: Sha256,
  kind: z.enum(['efirma-natural', 'efirma-legal', 'csd', 'unknown']),
  rfc: z.string().nullable(),
  curp: z.string().nullable(),
  name: Shown,
  /** The SAT's 20 digits, else the serial in hexadecimal. */
  number: z.string(),
  issuer: Shown,
  notBefore: Instant,
  notAfter: Instant,
  /** Null if it belongs to no user of the office. */
  userId: UserId.nullable(),
  firstSeenAt: Instant,
  /** `demo`: made by the demonstration authority; everything that is said about it carries "de prueba". */
  provenance: z.enum(['real', 'demo']),
})
export type HeldCertificate = z.infer<typeof HeldCertificate>

/** A certificate as lists show it, without its bytes. */
export const CertificateEntry = HeldCertificate.pick({
  id: true,
  sha256: true,
  kind: true,
  rfc: true,
  name: true,
  number: true,
  notBefore: true,
  notAfter: true,
  userId: true,
  provenance: true,
})
export type CertificateEntry = z.infer<typeof CertificateEntry>

/** The last days of a certificate, in which its holder gets a new one. */
export const LAST_DAYS = days(90)

export const CertificateStanding = z.enum([
  'not-yet-valid',
  'in-force',
  'expiring',
  'expired',
  'revoked',
])
export type CertificateStanding = z.infer<typeof CertificateStanding>

/** The last instants of the certificates that may have this status at `now`, both included; absent without a bound. */
export function expiryOfStanding(
  standing: CertificateStanding,
  now: Instant,
): { from?: Instant; until?: Instant } {
  const soon = after(now, LAST_DAYS)
  switch (standing) {
    case 'in-force':
      return { from: soon }
    case 'expiring':
      return { from: now, until: soon }
    case 'expired':
      return { until: now }
    default:
      return {}
  }
}

/** The status at `now`; `expiring` in the last days. Revocation takes precedence. */
export function standingOf(
  certificate: Pick<HeldCertificate, 'notBefore' | 'notAfter'>,
  now: Instant,
  isRevoked = false,
): CertificateStanding {
  if (isRevoked) return 'revoked'
  if (now < certificate.notBefore) return 'not-yet-valid'
  if (now > certificate.notAfter) return 'expired'
  return now >= before(certificate.notAfter, LAST_DAYS) ? 'expiring' : 'in-force'
}
