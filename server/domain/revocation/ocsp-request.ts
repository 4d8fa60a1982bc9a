import { readDer } from '#server/domain/asn1/der.ts'
import { explicitContent, sequenceOf } from '#server/domain/asn1/der-values.ts'
import {
  element,
  explicit,
  nullValue,
  octetString,
  oid,
  sequence,
} from '#server/domain/asn1/der-writer.ts'
import { ID_OCSP_NONCE, ID_SHA1 } from '#server/domain/asn1/object-identifiers.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { startDigest } from '#server/domain/trust/digest-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { readExtensions } from '#server/domain/x509/extensions.ts'
import { type CertificateId, readCertificateId } from './certificate-id.ts'
import { readNonce } from './nonce.ts'

const INTEGER = 0x02

/**
 * The OCSP request about `certificate`, issued by `issuer`. Its hashes are SHA-1, the one digest that every
 * responder supports; security does not depend on them.
 *
 * @param nonce 1 to 32 octets that the answer should repeat; many responders do not
 * @see RFC 6960, 4.1.1; RFC 9654, 2.1
 */
export function ocspRequest(
  certificate: Certificate,
  issuer: Certificate,
  nonce?: Uint8Array,
): Uint8Array {
  const request = sequence(certificateIdOf(certificate, issuer))
  const extensions = nonce
    ? [explicit(2, sequence(sequence(oid(ID_OCSP_NONCE), octetString(octetString(nonce)))))]
    : []
  return sequence(sequence(sequence(request), ...extensions))
}

function certificateIdOf(certificate: Certificate, issuer: Certificate): Uint8Array {
  const hash = (bytes: Uint8Array) => octetString(startDigest('sha1').update(bytes).digest())
  return sequence(
    sequence(oid(ID_SHA1), nullValue()),
    hash(certificate.issuer.bytes),
    hash(issuer.publicKey.bits),
    element(INTEGER, fromHex(certificate.serial)),
  )
}

export type OcspRequest = {
  /** About which certificates; the element as it came is what an answer repeats. */
  asked: readonly (CertificateId & { bytes: Uint8Array })[]
  nonce: Uint8Array | undefined
}

/** What a request asks, for those who answer. @throws {DerError} if it is none @see RFC 6960, 4.1.1 */
export function readOcspRequest(der: Uint8Array): OcspRequest {
  const [tbs] = sequenceOf(readDer(der, { maxNodes: 2_000 }))
  const fields = sequenceOf(tbs).filter(({ tag }) => tag !== 0xa0 && tag !== 0xa1)
  const extensions = fields[1]?.tag === 0xa2 ? readExtensions(explicitContent(fields[1])) : []
  return {
    asked: sequenceOf(fields[0]).map((request) => {
      const [id] = sequenceOf(request)
      return { ...readCertificateId(id), bytes: id?.bytes ?? new Uint8Array() }
    }),
    nonce: readNonce(extensions),
  }
}
