import { DerError, type DerNode, readBerPrefix } from '#server/domain/asn1/der.ts'
import {
  explicitContent,
  octetsOf,
  oidOf,
  sequenceOf,
  setOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import { ID_OCSP_RESPONSE, ID_SIGNED_DATA } from '#server/domain/asn1/object-identifiers.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { readSignerInfo, type SignerInfo } from './signer-info.ts'

/** A CMS or PKCS #7 signature. Every `Uint8Array` is as it came; nothing is encoded again. */
export type SignedData = {
  version: number
  digestAlgorithms: readonly AlgorithmIdentifier[]
  /** Dotted decimal of what is signed: id-data, id-ct-TSTInfo … */
  contentType: string
  /** Undefined when the content is elsewhere (detached). */
  content: Uint8Array | undefined
  certificates: readonly Certificate[]
  /** Certificates that we cannot read, and those that are no X.509. */
  unreadableCertificates: readonly Uint8Array[]
  /** CertificateList elements (RFC 5280). */
  crls: readonly Uint8Array[]
  /** OCSPResponse elements (RFC 5940). */
  ocspResponses: readonly Uint8Array[]
  signers: readonly SignerInfo[]
  /** Length in bytes of the structure itself. */
  length: number
  /** What follows it: a PDF fills the rest of /Contents with zeros; anything else is odd. */
  trailing: 'none' | 'zeros' | 'other'
}

/**
 * The signed data with which `bytes` begins, by the basic encoding rules.
 *
 * @throws {DerError} if it is none
 * @see RFC 5652, 3 and 5.1; RFC 2315, 9.1
 */
export function readSignedData(bytes: Uint8Array): SignedData {
  const file = readBerPrefix(bytes, { maxNodes: 200_000 })
  const [type, wrapped, ...more] = sequenceOf(file)
  if (oidOf(type) !== ID_SIGNED_DATA || wrapped?.tag !== 0xa0 || more.length > 0)
    throw new DerError('unexpected-structure', 'not signed data')
  const [version, digests, content, ...rest] = sequenceOf(explicitContent(wrapped))
  const signers = rest.pop()
  const certificates = rest[0]?.tag === 0xa0 ? rest.shift() : undefined
  const revocations = rest[0]?.tag === 0xa1 ? rest.shift() : undefined
  if (rest.length > 0) throw new DerError('unexpected-structure', 'signed data')
  return {
    version: smallIntegerOf(version),
    digestAlgorithms: setOf(digests).map(readAlgorithmIdentifier),
    ...readContent(content),
    ...readCertificates(certificates?.children() ?? []),
    ...readRevocations(revocations?.children() ?? []),
    signers: setOf(signers).map(readSignerInfo),
    length: file.bytes.length,
    trailing: trailingOf(bytes.subarray(file.bytes.length)),
  }
}

/** PKCS #7 allows any content where CMS wants an OCTET STRING. @see RFC 5652, 5.2.1 */
function readContent(node: DerNode | undefined) {
  const [type, wrapped] = sequenceOf(node)
  const inner = wrapped && explicitContent(wrapped)
  const isString = inner?.tag === TAG.octetString || inner?.tag === 0x24
  return { contentType: oidOf(type), content: isString ? octetsOf(inner) : inner?.content }
}

/** Far above what a signature, its timestamps and their authorities need. */
export const MOST_CERTIFICATES = 500

/** Each one once. */
function readCertificates(nodes: readonly DerNode[]) {
  const certificates: Certificate[] = []
  const unreadableCertificates: Uint8Array[] = []
  const each = new Map(nodes.map(({ bytes }) => [sha256(bytes), bytes]))
  if (each.size > MOST_CERTIFICATES)
    throw new DerError('too-many-nodes', `${each.size} certificates in one signature`)
  for (const bytes of each.values()) {
    const certificate = tryToRead(bytes)
    if (certificate) certificates.push(certificate)
    else unreadableCertificates.push(bytes)
  }
  return { certificates, unreadableCertificates }
}

function tryToRead(der: Uint8Array): Certificate | undefined {
  try {
    return readCertificate(der)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** @see RFC 5652, 10.2.1; RFC 5940, 2 */
function readRevocations(nodes: readonly DerNode[]) {
  const crls = nodes.filter(({ tag }) => tag === TAG.sequence).map(({ bytes }) => bytes)
  const ocspResponses = nodes
    .filter(({ tag }) => tag === 0xa1)
    .map((node) => node.children())
    .filter(([format]) => format?.tag === TAG.oid && oidOf(format) === ID_OCSP_RESPONSE)
    .flatMap(([, response]) => (response ? [response.bytes] : []))
  return { crls, ocspResponses }
}

/** What follows a structure that should be all there is. */
export function trailingOf(bytes: Uint8Array): SignedData['trailing'] {
  if (bytes.length === 0) return 'none'
  for (const octet of bytes) if (octet !== 0) return 'other'
  return 'zeros'
}
