import { z } from 'zod'
import { DerError } from '#server/domain/asn1/der.ts'
import { Sha256, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { isSelfSigned } from '#server/domain/trust/issued-by.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'

/** Most of an installation: each attestation is judged with all of them. The maker has some ten. */
export const MOST_MAKER_CERTIFICATES = 50

/**
 * A certificate of the maker of devices, which an administrator added. It counts for attestations alone: these are rows of their
 * own, which no verdict about a signature reads.
 */
export const MakerCertificate = z.object({
  sha256: Sha256,
  der: z.instanceof(Uint8Array),
  name: z.string(),
  /** `trusted`: it counts; `removed`: it no longer does. */
  state: z.enum(['trusted', 'removed']),
  /** Why an administrator trusts it, or no longer does. */
  reason: z.string(),
  since: Instant,
  by: UserId,
})
export type MakerCertificate = z.infer<typeof MakerCertificate>

/** A root signed itself; an intermediate is an authority that another one issued. */
export type MakerRole = 'root' | 'intermediate'

/** Undefined for a certificate that may not issue others: of a device, a person, a server. */
export function makerRoleOf(certificate: Certificate): MakerRole | undefined {
  try {
    if (basicConstraintsOf(certificate)?.isAuthority !== true) return undefined
    return isSelfSigned(certificate) ? 'root' : 'intermediate'
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

export function sortMakerCertificates(certificates: readonly Certificate[]): {
  roots: Certificate[]
  intermediates: Certificate[]
} {
  const withRole = (role: MakerRole) =>
    certificates.filter((certificate) => makerRoleOf(certificate) === role)
  return { roots: withRole('root'), intermediates: withRole('intermediate') }
}
