import { readDer } from '#server/domain/asn1/der.ts'
import { expectTag, TAG } from '#server/domain/asn1/der-values.ts'
import {
  type Bytes,
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
  ID_DATA,
  ID_RSA,
  ID_SHA256,
  ID_SIGNED_DATA,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/**
 * A detached CMS signature with one signer. Certificates, the issuer's name and the signed attributes go in
 * byte for byte as they came: names of the SAT do not survive being encoded again.
 *
 * @param input.signedAttributes the SET OF (0x31) that was signed
 * @param input.signature RSASSA-PKCS1-v1_5 with SHA-256 over it
 * @param input.certificates DER of each; the signer's is added in front when it is missing
 * @param input.unsignedAttributes whole Attribute elements, such as a timestamp over the signature
 * @throws {DerError} if the signed attributes are no SET
 * @see RFC 5652, 5; RFC 3370, 3.2: rsaEncryption is what every implementation must understand
 */
export function buildSignedData(input: {
  signedAttributes: Uint8Array
  signature: Uint8Array
  signer: Certificate
  certificates: readonly Uint8Array[]
  digestAlgorithm: 'sha256'
  unsignedAttributes?: readonly Uint8Array[]
}): Bytes {
  expectTag(readDer(input.signedAttributes), TAG.set)
  const sha256 = sequence(oid(ID_SHA256))
  const signedData = sequence(
    integer(1),
    setOfElements(sha256),
    sequence(oid(ID_DATA)),
    retagged(0xa0, setOfElements(...withSigner(input.signer.der, input.certificates))),
    setOfElements(signerInfo(input, sha256)),
  )
  return sequence(oid(ID_SIGNED_DATA), explicit(0, signedData))
}

function signerInfo(input: Parameters<typeof buildSignedData>[0], digest: Uint8Array): Bytes {
  const { signer, unsignedAttributes = [] } = input
  const unsigned = unsignedAttributes.length
    ? [retagged(0xa1, setOfElements(...unsignedAttributes))]
    : []
  return sequence(
    integer(1),
    sequence(signer.issuer.bytes, element(TAG.integer, fromHex(signer.serial))),
    digest,
    retagged(0xa0, input.signedAttributes),
    sequence(oid(ID_RSA), nullValue()),
    octetString(input.signature),
    ...unsigned,
  )
}

function withSigner(signer: Uint8Array, certificates: readonly Uint8Array[]): Uint8Array[] {
  const all = [signer, ...certificates].map((der) => Buffer.from(der))
  return all.filter((der, index) => all.findIndex((other) => other.equals(der)) === index)
}

const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
