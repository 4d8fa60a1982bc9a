import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import {
  bitsOf,
  booleanOf,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_BASIC_CONSTRAINTS,
  ID_EXTENDED_KEY_USAGE,
  ID_KEY_USAGE,
  ID_NETSCAPE_CERTIFICATE_TYPE,
  ID_SUBJECT_KEY_IDENTIFIER,
} from '#server/domain/asn1/object-identifiers.ts'

export type Extension = {
  oid: string
  isCritical: boolean
  /** The DER inside the OCTET STRING. */
  value: Uint8Array
}

export type BasicConstraints = { isAuthority: boolean; pathLength: number | undefined }

/** @see RFC 5280, 4.2.1.3 */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const
export type KeyUsage = (typeof KEY_USAGES)[number]

/** In the order of their bits; the fifth is reserved. */
const NETSCAPE_TYPES = [
  'sslClient',
  'sslServer',
  'smime',
  'objectSigning',
  null,
  'sslAuthority',
  'smimeAuthority',
  'objectSigningAuthority',
] as const
export type NetscapeType = Exclude<(typeof NETSCAPE_TYPES)[number], null>

/** @throws {DerError} */
export function readExtensions(node: DerNode): Extension[] {
  return sequenceOf(node).map((extension) => {
    const [id, ...rest] = sequenceOf(extension)
    const critical = rest[0]?.tag === TAG.boolean ? rest.shift() : undefined
    const [value, ...more] = rest
    if (more.length > 0) throw new DerError('unexpected-structure', 'extension')
    return {
      oid: oidOf(id),
      isCritical: critical !== undefined && booleanOf(critical),
      value: octetsOf(value),
    }
  })
}

type Extended = { extensions: readonly Extension[] }

function readValueOf({ extensions }: Extended, oid: string): DerNode | undefined {
  const extension = extensions.find((candidate) => candidate.oid === oid)
  return extension && readDer(extension.value)
}

/** @throws {DerError} if the extension is there and malformed @see RFC 5280, 4.2.1.9 */
export function basicConstraintsOf(certificate: Extended): BasicConstraints | undefined {
  const value = readValueOf(certificate, ID_BASIC_CONSTRAINTS)
  if (!value) return undefined
  const fields = sequenceOf(value)
  const flag = fields[0]?.tag === TAG.boolean ? fields[0] : undefined
  const length = fields[flag ? 1 : 0]
  return {
    isAuthority: flag !== undefined && booleanOf(flag),
    pathLength: length && smallIntegerOf(length),
  }
}

/** @throws {DerError} if the extension is there and malformed */
export function keyUsageOf(certificate: Extended): ReadonlySet<KeyUsage> | undefined {
  const value = readValueOf(certificate, ID_KEY_USAGE)
  if (!value) return undefined
  const isSet = bitsOf(value)
  return new Set(KEY_USAGES.filter((_, index) => isSet(index)))
}

/**
 * The types of Netscape, which certificates of the SAT still have.
 *
 * @throws {DerError} if the extension is there and malformed
 */
export function netscapeTypesOf(certificate: Extended): readonly NetscapeType[] | undefined {
  const value = readValueOf(certificate, ID_NETSCAPE_CERTIFICATE_TYPE)
  if (!value) return undefined
  const isSet = bitsOf(value)
  return NETSCAPE_TYPES.flatMap((type, index) => (type && isSet(index) ? [type] : []))
}

/** The purposes as dotted decimals. @throws {DerError} if the extension is there and malformed */
export function extendedKeyUsageOf(certificate: Extended): readonly string[] | undefined {
  const value = readValueOf(certificate, ID_EXTENDED_KEY_USAGE)
  return value && sequenceOf(value).map(oidOf)
}

/** @throws {DerError} if the extension is there and malformed @see RFC 5280, 4.2.1.2 */
export function subjectKeyIdentifierOf(certificate: Extended): Uint8Array | undefined {
  const value = readValueOf(certificate, ID_SUBJECT_KEY_IDENTIFIER)
  return value && octetsOf(value)
}
