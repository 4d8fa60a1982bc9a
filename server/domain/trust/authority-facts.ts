import { DerError } from '#server/domain/asn1/der.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf } from '#server/domain/x509/extensions.ts'
import { isAuthorityForTesting } from './authorities-for-testing.ts'
import { isSelfSigned } from './issued-by.ts'
import { type PinnedAuthority, pinOf } from './mexican-authorities.ts'

/** The facts of a certificate that lists show. Plain data. */
export type AuthorityFacts = {
  /** The name from the pin, else the subject's own. */
  name: string
  notBefore: Instant
  notAfter: Instant
  role: PinnedAuthority['role']
  forTesting: boolean
}

/** A certificate of a bundle, and what decides whether its import is believed. Plain data: it crosses threads. */
export type BundledAuthority = AuthorityFacts & {
  sha256: Sha256
  der: Uint8Array
  /** Whether it says that it may issue certificates, or signed itself and does not say. */
  mayIssue: boolean
}

export function authorityFactsOf(certificate: Certificate): AuthorityFacts {
  const pin = pinOf(certificate)
  return {
    name: pin?.name ?? certificate.name,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    role: pin?.role ?? 'anchor',
    forTesting: isAuthorityForTesting(certificate),
  }
}

/** What decides about the certificate, with its facts. */
export const bundledAuthority = (certificate: Certificate): BundledAuthority => ({
  ...authorityFactsOf(certificate),
  sha256: sha256(certificate.der),
  der: certificate.der.slice(),
  mayIssue: mayIssue(certificate),
})

function mayIssue(certificate: Certificate): boolean {
  try {
    const constraints = basicConstraintsOf(certificate)
    return constraints ? constraints.isAuthority : isSelfSigned(certificate)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
