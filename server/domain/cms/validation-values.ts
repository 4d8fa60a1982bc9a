import { DerError, type DerNode, readBer } from '#server/domain/asn1/der.ts'
import { explicitContent, sequenceOf } from '#server/domain/asn1/der-values.ts'
import { element, explicit, octetString, oid, sequence } from '#server/domain/asn1/der-writer.ts'
import {
  ID_ADOBE_REVOCATION,
  ID_CERTIFICATE_VALUES,
  ID_OCSP_BASIC,
  ID_REVOCATION_VALUES,
} from '#server/domain/asn1/object-identifiers.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { valuesOf } from './attributes.ts'
import type { SignedData } from './signed-data.ts'

/** The validation material embedded in a signature. Every `Uint8Array` is a whole element. */
export type ValidationValues = {
  certificates: readonly Certificate[]
  /** OCSPResponse elements. */
  ocsp: readonly Uint8Array[]
  /** CertificateList elements. */
  crls: readonly Uint8Array[]
}

/**
 * The certificates and the answers about revocation inside a signature: beside the signers, in the attribute
 * that PDF defined and in those of CAdES. What cannot be read is left out.
 *
 * @see RFC 5652, 10.2; RFC 5940, 2; ISO 32000-2:2020, 12.8.3.3.2; ETSI EN 319 122-2 V1.1.1, A.1
 */
export function validationValuesOf(signedData: SignedData): ValidationValues {
  const attributes = signedData.signers.flatMap(({ signedAttributes, unsignedAttributes }) => [
    ...(signedAttributes?.attributes ?? []),
    ...unsignedAttributes,
  ])
  const read = <T>(type: string, reader: (value: DerNode) => T[]): T[] =>
    valuesOf(attributes, type).flatMap((value) => readable(() => reader(readBer(value))))
  return {
    certificates: [...signedData.certificates, ...read(ID_CERTIFICATE_VALUES, certificatesIn)],
    ocsp: [
      ...signedData.ocspResponses,
      ...read(ID_ADOBE_REVOCATION, (value) => elementsIn(value, 0xa1)),
      ...read(ID_REVOCATION_VALUES, (value) => elementsIn(value, 0xa1).map(responseAround)),
    ],
    crls: [
      ...signedData.crls,
      ...read(ID_ADOBE_REVOCATION, (value) => elementsIn(value, 0xa0)),
      ...read(ID_REVOCATION_VALUES, (value) => elementsIn(value, 0xa0)),
    ],
  }
}

const certificatesIn = (value: DerNode): Certificate[] =>
  sequenceOf(value).flatMap(({ bytes }) => readable(() => [readCertificate(bytes)]))

/** The elements of the SEQUENCE under this explicit tag. */
const elementsIn = (value: DerNode, tag: number): Uint8Array[] =>
  sequenceOf(value)
    .filter((node) => node.tag === tag)
    .flatMap((node) => sequenceOf(explicitContent(node)))
    .map(({ bytes }) => bytes)

const SUCCESSFUL = element(0x0a, Uint8Array.of(0))

/** CAdES keeps only the signed part of a response; the wrapper around it is unsigned and can be rebuilt. */
const responseAround = (basic: Uint8Array) =>
  sequence(SUCCESSFUL, explicit(0, sequence(oid(ID_OCSP_BASIC), octetString(basic))))

function readable<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}
