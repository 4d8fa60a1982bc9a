import type { DerNode } from '#server/domain/asn1/der.ts'
import {
  areEqual,
  hexOf,
  integerBytesOf,
  octetsOf,
  sequenceOf,
} from '#server/domain/asn1/der-values.ts'
import { type DigestName, digestNameOf, digestOnce } from '#server/domain/trust/digest-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** How OCSP names a certificate. @see RFC 6960, 4.1.1 */
export type CertificateId = {
  /** Undefined for a digest that we do not compute. */
  digest: DigestName | undefined
  issuerNameHash: Uint8Array
  issuerKeyHash: Uint8Array
  /** The octets of the INTEGER in lower-case hexadecimal. */
  serial: string
}

/** @throws {DerError} */
export function readCertificateId(node: DerNode | undefined): CertificateId {
  const [algorithm, nameHash, keyHash, serial] = sequenceOf(node)
  return {
    digest: digestNameOf(readAlgorithmIdentifier(algorithm).oid),
    issuerNameHash: octetsOf(nameHash),
    issuerKeyHash: octetsOf(keyHash),
    serial: hexOf(integerBytesOf(serial)),
  }
}

/**
 * Whether `id` means this certificate of this issuer. The name may be spelt as the issuer spells itself or as
 * the certificate does, because one authority of the SAT does not agree with itself; the key decides.
 */
export function isIdOf(id: CertificateId, certificate: Certificate, issuer: Certificate): boolean {
  const { digest } = id
  if (!digest || !isSameSerial(id.serial, certificate.serial)) return false
  const isHashOf = (hash: Uint8Array, bytes: Uint8Array) =>
    areEqual(hash, digestOnce(digest, bytes))
  return (
    isHashOf(id.issuerKeyHash, issuer.publicKey.bits) &&
    (isHashOf(id.issuerNameHash, issuer.subject.bytes) ||
      isHashOf(id.issuerNameHash, certificate.issuer.bytes))
  )
}

/** By magnitude: some programs leave out the zero in front of a first octet above 0x7f. */
export const isSameSerial = (a: string, b: string) => magnitudeOf(a) === magnitudeOf(b)

/** Of the octets of an INTEGER, without leading zeros: hexadecimal. */
export const magnitudeOf = (hex: string) => hex.replace(/^(?:00)+/, '')
