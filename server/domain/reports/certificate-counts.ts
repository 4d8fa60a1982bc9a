import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { Instant } from '#server/domain/time.ts'
import { type Counts, countOne } from './counts.ts'
import type { Month } from './month.ts'

type CertificateKind = HeldCertificate['kind']

/** A certificate of a user, or of another signer. */
export type CertificateHolder = 'staff' | 'others'

/** Certificates that end in a period. */
export type CertificateCounts = {
  months: Partial<Record<Month, Counts<CertificateHolder>>>
  kinds: Partial<Record<CertificateKind, Counts<CertificateHolder>>>
}

export const noCertificates = (): CertificateCounts => ({ months: {}, kinds: {} })

export type CountedCertificate = {
  kind: CertificateKind
  holder: CertificateHolder
  endsAt: Instant
}

export function countCertificate(
  counts: CertificateCounts,
  { kind, holder, endsAt }: CountedCertificate,
  monthOf: (at: Instant) => Month,
): void {
  const month = monthOf(endsAt)
  const ofMonth = counts.months[month] ?? {}
  counts.months[month] = ofMonth
  countOne(ofMonth, holder)
  counts.kinds[kind] ??= {}
  countOne(counts.kinds[kind], holder)
}
