import type { DerNode } from '#server/domain/asn1/der.ts'
import {
  areEqual,
  explicitContent,
  hexOf,
  integerBytesOf,
  sequenceOf,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_SIGNING_CERTIFICATE,
  ID_SIGNING_CERTIFICATE_V2,
} from '#server/domain/asn1/object-identifiers.ts'
import {
  type CertificateReference,
  readSigningCertificates,
} from '#server/domain/pkcs/signed-attributes.ts'
import { type DigestName, digestNameOf } from '#server/domain/trust/digest-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName, readName } from '#server/domain/x509/name.ts'
import { type Attribute, singleValue } from './attributes.ts'

/** What the signed attributes say about the signer's certificate. */
export type CertificateBinding = 'matches' | 'differs' | 'absent' | 'ambiguous'

type Hash = (digest: DigestName, bytes: Uint8Array) => Uint8Array

/**
 * Whether the signing-certificate attributes, of either version, mean this certificate. Where both are
 * there, both must.
 *
 * @throws {DerError} if one cannot be read
 * @see RFC 5035, 5.4; ETSI EN 319 122-1 V1.3.1, 5.2.2
 */
export function checkCertificateBinding(
  attributes: readonly Attribute[],
  certificate: Certificate | undefined,
  hash: Hash,
): CertificateBinding {
  const values = [
    { version: 'v2', value: singleValue(attributes, ID_SIGNING_CERTIFICATE_V2) },
    { version: 'v1', value: singleValue(attributes, ID_SIGNING_CERTIFICATE) },
  ] as const
  if (values.some(({ value }) => value === 'ambiguous')) return 'ambiguous'
  const present = values.filter(({ value }) => value !== 'absent')
  if (present.length === 0) return 'absent'
  const doesMatch = present.every(({ version, value }) => {
    const [first] = readSigningCertificates(value as DerNode, version)
    return first !== undefined && certificate !== undefined && means(first, certificate, hash)
  })
  return doesMatch ? 'matches' : 'differs'
}

function means(
  { hashAlgorithm, hash: expected, issuerSerial }: CertificateReference,
  certificate: Certificate,
  hash: Hash,
): boolean {
  const digest = digestNameOf(hashAlgorithm)
  if (!digest || !areEqual(expected, hash(digest, certificate.der))) return false
  return issuerSerial === undefined || isIssuerSerialOf(issuerSerial, certificate)
}

/** IssuerSerial ::= SEQUENCE { issuer GeneralNames, serialNumber } */
function isIssuerSerialOf(issuerSerial: DerNode, certificate: Certificate): boolean {
  const [names, serial] = sequenceOf(issuerSerial)
  const directoryName = sequenceOf(names).find(({ tag }) => tag === 0xa4)
  if (!directoryName || hexOf(integerBytesOf(serial)) !== certificate.serial) return false
  return areSameName(readName(explicitContent(directoryName)), certificate.issuer)
}
