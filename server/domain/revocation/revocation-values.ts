import { DerError } from '#server/domain/asn1/der.ts'
import type { Instant } from '#server/domain/time.ts'
import { type CertificateList, readCertificateList } from './certificate-list.ts'
import { type OcspResponse, readOcspResponse } from './ocsp-response.ts'

/** One answer of an authority, as it came. Plain data: it crosses threads and is kept with its bytes. */
export type RevocationAnswer = {
  der: Uint8Array
  /** From the file that is judged, or asked for by us. */
  source: 'embedded' | 'fetched'
  /** The earliest time at which these bytes are proven to exist; absent: only now. */
  provenAt?: Instant
}

/** Everything at hand about what may be revoked; most of it is about other certificates. */
export type RevocationValues = {
  /** OCSPResponse elements. @see RFC 6960, 4.2.1 */
  ocsp: readonly RevocationAnswer[]
  /** CertificateList elements. @see RFC 5280, 5.1 */
  crls: readonly RevocationAnswer[]
}

/** The OCSP response in `der`, which is parsed once however many certificates it is asked about; undefined for none. */
export const ocspResponseIn = onceFor<OcspResponse>(readOcspResponse)

/** The list in `der`, parsed once; undefined for none. */
export const certificateListIn = onceFor<CertificateList>(readCertificateList)

/** Bytes of evidence are never changed, so that what they say is known once they were read. */
function onceFor<T extends object>(read: (der: Uint8Array) => T) {
  const known = new WeakMap<Uint8Array, T | 'unreadable'>()
  return (der: Uint8Array): T | undefined => {
    const value = known.get(der) ?? readOrNot(read, der)
    known.set(der, value)
    return value === 'unreadable' ? undefined : value
  }
}

function readOrNot<T>(read: (der: Uint8Array) => T, der: Uint8Array): T | 'unreadable' {
  try {
    return read(der)
  } catch (error) {
    if (error instanceof DerError) return 'unreadable'
    throw error
  }
}
