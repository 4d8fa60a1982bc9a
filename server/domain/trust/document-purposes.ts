import { DerError } from '#server/domain/asn1/der.ts'
import {
  ID_MICROSOFT_GATED_SERVER,
  ID_NETSCAPE_GATED_SERVER,
  ID_OCSP_SIGNING,
  ID_SERVER_AUTHENTICATION,
  ID_TIME_STAMPING,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { extendedKeyUsageOf } from '#server/domain/x509/extensions.ts'

/** What authorities name in certificates of machines, which sign no document by themselves. */
const NOT_OF_DOCUMENTS: ReadonlySet<string> = new Set([
  ID_SERVER_AUTHENTICATION,
  ID_NETSCAPE_GATED_SERVER,
  ID_MICROSOFT_GATED_SERVER,
  ID_TIME_STAMPING,
  ID_OCSP_SIGNING,
])

/**
 * Whether the certificate is for more than machines. One that names no purpose may be used for anything; purposes that cannot be
 * read allow nothing. No one purpose is that of signing documents: e.firmas name mail and clients, others what their programs ask for.
 *
 * @see RFC 5280, 4.2.1.12; RFC 9336, 3
 */
export function isForDocuments(certificate: Certificate): boolean {
  try {
    const purposes = extendedKeyUsageOf(certificate)
    return purposes?.some((purpose) => !NOT_OF_DOCUMENTS.has(purpose)) ?? true
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/**
 * Whether the authorities between a signer and the anchor are for documents: one for machines alone issues nothing that signs
 * documents. The anchor is trusted by decision.
 */
export const areAuthoritiesForDocuments = (path: readonly Certificate[]): boolean =>
  path.slice(1, -1).every(isForDocuments)
