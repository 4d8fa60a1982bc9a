import { createHash, sign } from 'node:crypto'
import { TAG } from '#server/domain/asn1/der-values.ts'
import {
  element,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  retagged,
  sequence,
  setOfElements,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_CONTENT_TYPE,
  ID_CT_TST_INFO,
  ID_MESSAGE_DIGEST,
  ID_RSA,
  ID_SHA256,
  ID_SIGNED_DATA,
  ID_SIGNING_CERTIFICATE_V2,
} from '#server/domain/asn1/object-identifiers.ts'
import type { DemoService } from './service-certificates.ts'

/** AlgorithmIdentifier of SHA-256. */
export const SHA256 = sequence(oid(ID_SHA256), nullValue())

/**
 * What a service says about a time, signed by it: the token of a timestamp or of a constancia.
 *
 * @param content the TSTInfo
 * @param options.attributes signed ones beyond those that every token has
 * @param options.certificates DER of those that the token brings along
 * @see RFC 3161, 2.4.2; RFC 5652, 5; RFC 5816
 */
export function signedToken(
  content: Uint8Array,
  { certificate, key }: DemoService,
  options: { attributes?: readonly Uint8Array[]; certificates: readonly Uint8Array[] },
): Uint8Array {
  const { attributes: more = [], certificates } = options
  const attributes = setOfElements(
    attribute(ID_CONTENT_TYPE, oid(ID_CT_TST_INFO)),
    attribute(ID_MESSAGE_DIGEST, octetString(sha256Of(content))),
    attribute(
      ID_SIGNING_CERTIFICATE_V2,
      sequence(sequence(sequence(octetString(sha256Of(certificate.der))))),
    ),
    ...more,
  )
  const signerInfo = sequence(
    integer(1),
    sequence(
      certificate.issuer.bytes,
      element(TAG.integer, Buffer.from(certificate.serial, 'hex')),
    ),
    SHA256,
    retagged(0xa0, attributes),
    sequence(oid(ID_RSA), nullValue()),
    octetString(sign('sha256', attributes, key)),
  )
  const signedData = sequence(
    integer(3),
    setOfElements(SHA256),
    sequence(oid(ID_CT_TST_INFO), explicit(0, octetString(content))),
    ...(certificates.length > 0 ? [retagged(0xa0, setOfElements(...certificates))] : []),
    setOfElements(signerInfo),
  )
  return sequence(oid(ID_SIGNED_DATA), explicit(0, signedData))
}

export const attribute = (type: string, value: Uint8Array) =>
  sequence(oid(type), setOfElements(value))

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
