import { type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  boolean,
  element,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  setOfElements,
  time,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_BASIC_CONSTRAINTS,
  ID_EXTENDED_KEY_USAGE,
  ID_KEY_USAGE,
  ID_RSA_SHA1,
  ID_RSA_SHA256,
  ID_RSA_SHA512,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Instant } from '#server/domain/time.ts'

/** One attribute of a name; `value` is the whole element of the string. */
export type NameAttribute = { oid: string; value: Uint8Array }

export type CertificateRequest = {
  /** Digits that become the octets of the serial number, as the SAT numbers certificates. */
  serial: string
  /** The whole element of the issuer's name, byte for byte as the issuer spells itself. */
  issuer: Uint8Array
  subject: Uint8Array
  publicKey: KeyObject
  notBefore: Instant
  notAfter: Instant
  /** Each one a whole Extension, as `extension` makes it. */
  extensions: readonly Uint8Array[]
  /** The issuer's RSA key. */
  issuerKey: KeyObject
  digest?: 'sha1' | 'sha256' | 'sha512'
}

const RSA_SIGNATURES = {
  sha1: ID_RSA_SHA1,
  sha256: ID_RSA_SHA256,
  sha512: ID_RSA_SHA512,
} as const

/** The DER of a signed certificate. @see RFC 5280, 4.1 */
export function mintCertificate(request: CertificateRequest): Uint8Array {
  const digest = request.digest ?? 'sha256'
  const algorithm = sequence(oid(RSA_SIGNATURES[digest]), nullValue())
  const extensions = request.extensions.length ? [explicit(3, sequence(...request.extensions))] : []
  const tbs = sequence(
    explicit(0, integer(2)),
    element(0x02, Buffer.from(request.serial, 'latin1')),
    algorithm,
    request.issuer,
    sequence(time(request.notBefore), time(request.notAfter)),
    request.subject,
    request.publicKey.export({ type: 'spki', format: 'der' }),
    ...extensions,
  )
  return sequence(tbs, algorithm, bitString(sign(digest, tbs, request.issuerKey)))
}

/** A name with one attribute in each RDN, in the order given. */
export function nameOf(attributes: readonly NameAttribute[]): Uint8Array {
  return sequence(
    ...attributes.map((attribute) => setOfElements(sequence(oid(attribute.oid), attribute.value))),
  )
}

export function extension(id: string, value: Uint8Array, isCritical = false): Uint8Array {
  const critical = isCritical ? [boolean(true)] : []
  return sequence(oid(id), ...critical, octetString(value))
}

export function basicConstraints(
  { isAuthority, pathLength }: { isAuthority: boolean; pathLength?: number },
  isCritical = true,
): Uint8Array {
  const flag = isAuthority ? [boolean(true)] : []
  const length = pathLength === undefined ? [] : [integer(pathLength)]
  return extension(ID_BASIC_CONSTRAINTS, sequence(...flag, ...length), isCritical)
}

/** Named bits: `octet` holds the first eight, from the left, and `unusedBits` of them say nothing. */
export const keyUsage = (octet: number, unusedBits: number, isCritical = false) =>
  extension(ID_KEY_USAGE, bitString(Uint8Array.of(octet), unusedBits), isCritical)

export const extendedKeyUsage = (purposes: readonly string[], isCritical = false) =>
  extension(ID_EXTENDED_KEY_USAGE, sequence(...purposes.map(oid)), isCritical)
