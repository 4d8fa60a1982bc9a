import type { TrustAnchor } from '#server/domain/certificates/trust-anchor.ts'
import { type Certificate, readCertificate } from '#server/domain/efirma/certificate.ts'
import type { Instant } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'

/** A policy as it crosses threads: certificates that were read hold functions, their DER does not. */
export type PolicyInTransit = {
  anchors: (Omit<TrustAnchor, 'certificate'> & { der: Uint8Array })[]
  candidates: Uint8Array[]
  at: Instant
}

export function packPolicy({ anchors, candidates, at }: VerificationPolicy): PolicyInTransit {
  return {
    anchors: anchors.map(({ certificate, ...trust }) => ({ ...trust, der: ownBytes(certificate) })),
    candidates: candidates.map(ownBytes),
    at,
  }
}

export function unpackPolicy({ anchors, candidates, at }: PolicyInTransit): VerificationPolicy {
  return {
    anchors: anchors.map(({ der, ...trust }) => ({ ...trust, certificate: readCertificate(der) })),
    candidates: candidates.map((der) => readCertificate(der)),
    at,
  }
}

/* Of a view the whole buffer behind it would cross. */
const ownBytes = ({ der }: Certificate) => der.slice()
