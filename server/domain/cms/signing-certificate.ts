import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
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
export type CertificateBinding =
  | 'matches'
  /** By its hash; the issuer and number beside it, which are optional, cannot be read. */
  | 'matches-by-hash'
  | 'differs'
  | 'absent'
  | 'ambiguous'

/** The hash decides: issuer and number only repeat what the certificate says. */
export const isBoundTo = (binding: CertificateBinding): boolean =>
  binding === 'matches' || binding === 'matches-by-hash'

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
  const bindings = present.map(({ version, value }) => {
    const [first] = readSigningCertificates(value as DerNode, version)
    return first && certificate ? bindingOf(first, certificate, hash) : 'differs'
  })
  if (bindings.includes('differs')) return 'differs'
  return bindings.includes('matches-by-hash') ? 'matches-by-hash' : 'matches'
}

function bindingOf(
  { hashAlgorithm, hash: expected, issuerSerial }: CertificateReference,
  certificate: Certificate,
  hash: Hash,
): 'matches' | 'matches-by-hash' | 'differs' {
  const digest = digestNameOf(hashAlgorithm)
  if (!digest || !areEqual(expected, hash(digest, certificate.der))) return 'differs'
  if (issuerSerial === undefined) return 'matches'
  try {
    return isIssuerSerialOf(issuerSerial, certificate) ? 'matches' : 'differs'
  } catch (error) {
    if (error instanceof DerError) return 'matches-by-hash'
    throw error
  }
}

/** IssuerSerial ::= SEQUENCE { issuer GeneralNames, serialNumber } */
function isIssuerSerialOf(issuerSerial: DerNode, certificate: Certificate): boolean {
  const [names, serial] = sequenceOf(issuerSerial)
  const directoryName = sequenceOf(names).find(({ tag }) => tag === 0xa4)
  if (!directoryName) throw new DerError('unexpected-structure', 'no name of the issuer')
  if (hexOf(integerBytesOf(serial)) !== certificate.serial) return false
  return areSameName(readName(explicitContent(directoryName)), certificate.issuer)
}
