import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
import {
  areEqual,
  hexOf,
  integerBytesOf,
  octetsOf,
  sequenceOf,
  smallIntegerOf,
} from '#server/domain/asn1/der-values.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { subjectKeyIdentifierOf } from '#server/domain/x509/extensions.ts'
import { areSameName, type Name, readName } from '#server/domain/x509/name.ts'
import {
  type Attribute,
  readAttributes,
  readSignedAttributeSet,
  type SignedAttributeSet,
} from './attributes.ts'

export type SignerIdentifier =
  | { kind: 'issuer-and-serial'; issuer: Name; serial: string }
  | { kind: 'subject-key-identifier'; keyIdentifier: Uint8Array }

/** @see RFC 5652, 5.3 */
export type SignerInfo = {
  bytes: Uint8Array
  version: number
  identifier: SignerIdentifier
  digestAlgorithm: AlgorithmIdentifier
  /** Undefined when the signature is over the content itself. */
  signedAttributes: SignedAttributeSet | undefined
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  /** Empty if they cannot be read: they are unsigned, and the validity of the signature does not depend on them. */
  unsignedAttributes: readonly Attribute[]
  areUnsignedAttributesDamaged: boolean
}

/** @throws {DerError} */
export function readSignerInfo(node: DerNode): SignerInfo {
  const [version, identifier, digestAlgorithm, ...rest] = sequenceOf(node)
  const signed = rest[0]?.tag === 0xa0 ? rest.shift() : undefined
  const [signatureAlgorithm, signature, unsigned, ...more] = rest
  if (more.length > 0 || (unsigned && unsigned.tag !== 0xa1))
    throw new DerError('unexpected-structure', 'signer info')
  return {
    bytes: node.bytes,
    version: smallIntegerOf(version),
    identifier: readIdentifier(identifier),
    digestAlgorithm: readAlgorithmIdentifier(digestAlgorithm),
    signedAttributes: signed && readSignedAttributeSet(signed),
    signatureAlgorithm: readAlgorithmIdentifier(signatureAlgorithm),
    signature: octetsOf(signature),
    ...readUnsigned(unsigned),
  }
}

function readUnsigned(
  node: DerNode | undefined,
): Pick<SignerInfo, 'unsignedAttributes' | 'areUnsignedAttributesDamaged'> {
  try {
    const unsignedAttributes = node ? readAttributes(node) : []
    return { unsignedAttributes, areUnsignedAttributesDamaged: false }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return { unsignedAttributes: [], areUnsignedAttributesDamaged: true }
  }
}

function readIdentifier(node: DerNode | undefined): SignerIdentifier {
  if (node?.tag === 0x80) return { kind: 'subject-key-identifier', keyIdentifier: node.content }
  const [issuer, serial] = sequenceOf(node)
  return {
    kind: 'issuer-and-serial',
    issuer: readName(issuer),
    serial: hexOf(shortestIntegerOf(serial)),
  }
}

/**
 * Neither set of rules allows an octet that says nothing: two programs could read two numbers, and so look
 * for two certificates.
 *
 * @see X.690 (02/2021), 8.3.2
 */
function shortestIntegerOf(node: DerNode | undefined): Uint8Array {
  const bytes = integerBytesOf(node)
  const [first = 0, second = 0] = bytes
  const isPadded = bytes.length > 1 && first === (second & 0x80 ? 0xff : 0x00)
  if (isPadded) throw new DerError('bad-value', 'an integer with an octet too many')
  return bytes
}

/** Those of `certificates` that `identifier` may mean, the likeliest first. */
export function certificatesNamedBy(
  identifier: SignerIdentifier,
  certificates: readonly Certificate[],
): Certificate[] {
  if (identifier.kind === 'subject-key-identifier')
    return certificates.filter((certificate) => hasKeyIdentifier(certificate, identifier))
  const named = certificates.filter(
    ({ serial, issuer }) => serial === identifier.serial && areSameName(issuer, identifier.issuer),
  )
  const isExact = ({ issuer }: Certificate) => areEqual(issuer.bytes, identifier.issuer.bytes)
  return [...named.filter(isExact), ...named.filter((certificate) => !isExact(certificate))]
}

function hasKeyIdentifier(
  certificate: Certificate,
  { keyIdentifier }: { keyIdentifier: Uint8Array },
): boolean {
  try {
    const own = subjectKeyIdentifierOf(certificate)
    return own !== undefined && areEqual(own, keyIdentifier)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
