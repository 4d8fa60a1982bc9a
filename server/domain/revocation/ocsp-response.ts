import { DerError, type DerNode, readBer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import {
  bitStringOctetsOf,
  expectTag,
  explicitContent,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_OCSP_ARCHIVE_CUTOFF,
  ID_OCSP_BASIC,
  ID_OCSP_NONCE,
} from '#server/domain/asn1/object-identifiers.ts'
import { earliest, type Instant } from '#server/domain/time.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { type Extension, readExtensions } from '#server/domain/x509/extensions.ts'
import { type Name, readName } from '#server/domain/x509/name.ts'
import { type CertificateId, readCertificateId } from './certificate-id.ts'
import { hasUnknownCritical, readGrace, readInvalidityDate } from './entry-extensions.ts'
import { readNonce } from './nonce.ts'
import { type RevocationReason, readReason } from './reason.ts'

/** @see RFC 6960, 4.2.1 */
export type OcspResponse =
  | { kind: 'refused'; status: OcspRefusal }
  | ({ kind: 'answered' } & OcspAnswer)

export type OcspRefusal =
  | 'malformed-request'
  | 'internal-error'
  | 'try-later'
  | 'signature-required'
  | 'unauthorized'

/** A BasicOCSPResponse. Every `Uint8Array` is as it came. */
export type OcspAnswer = {
  /** What the responder signed. */
  tbs: Uint8Array
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  /** Those that came along and can be read. */
  certificates: readonly Certificate[]
  responder: { kind: 'name'; name: Name } | { kind: 'key-hash'; hash: Uint8Array }
  producedAt: Instant
  responses: readonly SingleResponse[]
  nonce: Uint8Array | undefined
  /** It says something that changes its meaning in a way that we do not know. */
  hasUnknownCritical: boolean
}

export type SingleResponse = {
  id: CertificateId
  status:
    | { kind: 'good' }
    | { kind: 'revoked'; at: Instant; reason: RevocationReason | null }
    | { kind: 'unknown' }
  /** The status is known to be right at this time. */
  thisUpdate: Instant
  /** Newer word is there by then; undefined: always. */
  nextUpdate: Instant | undefined
  /** Certificates that expired after this time are still answered for. @see RFC 6960, 4.4.4 */
  archiveCutoff: Instant | undefined
  hasUnknownCritical: boolean
}

const ENUMERATED = 0x0a

const REFUSALS: Record<number, OcspRefusal> = {
  1: 'malformed-request',
  2: 'internal-error',
  3: 'try-later',
  5: 'signature-required',
  6: 'unauthorized',
}

/**
 * The response that `der` consists of; whether to believe it is another question.
 *
 * @throws {DerError} if it is none, or of a type other than basic
 * @see RFC 6960, 4.2.1
 */
export function readOcspResponse(der: Uint8Array): OcspResponse {
  const [statusNode, wrapped, ...more] = sequenceOf(readBer(der, { maxNodes: 50_000 }))
  const { content } = expectTag(statusNode, ENUMERATED)
  if (more.length > 0 || content.length !== 1)
    throw new DerError('unexpected-structure', 'not an OCSP response')
  const status = content[0] as number
  const refusal = REFUSALS[status]
  if (refusal) return { kind: 'refused', status: refusal }
  if (status !== 0 || wrapped?.tag !== 0xa0)
    throw new DerError('unexpected-structure', `OCSP status ${status} without an answer`)
  const [type, response] = sequenceOf(explicitContent(wrapped))
  if (oidOf(type) !== ID_OCSP_BASIC)
    throw new DerError('unexpected-structure', 'not a basic response')
  return { kind: 'answered', ...readAnswer(octetsOf(response)) }
}

function readAnswer(bytes: Uint8Array): OcspAnswer {
  const basic = sequenceOf(readBer(bytes, { maxNodes: 50_000 }))
  const [tbs, algorithm, signature, certificates] = basic
  if (!tbs || basic.length > 4) throw new DerError('unexpected-structure', 'not a basic response')
  const fields = [...sequenceOf(tbs)]
  const version = fields[0]?.tag === 0xa0 ? fields.shift() : undefined
  if (version && smallIntegerOf(explicitContent(version)) !== 0)
    throw new DerError('bad-value', 'an OCSP response of another version')
  const [responder, producedAt, responses, extensionsNode] = fields
  const extensions = readOptionalExtensions(extensionsNode)
  return {
    tbs: tbs.bytes,
    signatureAlgorithm: readAlgorithmIdentifier(algorithm),
    signature: bitStringOctetsOf(signature),
    certificates: certificates ? readCertificates(certificates) : [],
    responder: readResponder(responder),
    producedAt: timeOf(producedAt),
    responses: sequenceOf(responses).map(readSingleResponse),
    nonce: readNonce(extensions),
    hasUnknownCritical: hasUnknownCritical(extensions, [ID_OCSP_NONCE]),
  }
}

function readOptionalExtensions(node: DerNode | undefined): Extension[] {
  if (!node) return []
  if (node.tag !== 0xa1) throw new DerError('unexpected-structure', 'OCSP extensions')
  return readExtensions(explicitContent(node))
}

function readResponder(node: DerNode | undefined): OcspAnswer['responder'] {
  if (node?.tag === 0xa1) return { kind: 'name', name: readName(explicitContent(node)) }
  if (node?.tag === 0xa2) return { kind: 'key-hash', hash: octetsOf(explicitContent(node)) }
  throw new DerError('unexpected-structure', 'an OCSP response without a responder')
}

/** A certificate that we cannot read signed nothing that we could believe. */
function readCertificates(node: DerNode): Certificate[] {
  if (node.tag !== 0xa0) throw new DerError('unexpected-structure', 'certificates of a response')
  return sequenceOf(explicitContent(node)).flatMap(({ bytes }) => {
    try {
      return [readCertificate(bytes)]
    } catch (error) {
      if (error instanceof DerError) return []
      throw error
    }
  })
}

function readSingleResponse(node: DerNode): SingleResponse {
  const [id, status, thisUpdate, ...rest] = sequenceOf(node)
  const nextUpdate = rest[0]?.tag === 0xa0 ? rest.shift() : undefined
  const extensions = readOptionalExtensions(rest[0])
  if (rest.length > 1) throw new DerError('unexpected-structure', 'single response')
  return {
    id: readCertificateId(id),
    status: readStatus(status, extensions),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate && timeOf(explicitContent(nextUpdate)),
    archiveCutoff: readGrace(extensions, ID_OCSP_ARCHIVE_CUTOFF),
    hasUnknownCritical: hasUnknownCritical(extensions, [ID_OCSP_ARCHIVE_CUTOFF]),
  }
}

function readStatus(
  node: DerNode | undefined,
  extensions: readonly Extension[],
): SingleResponse['status'] {
  if (node?.tag === 0x80 && node.content.length === 0) return { kind: 'good' }
  if (node?.tag === 0x82 && node.content.length === 0) return { kind: 'unknown' }
  if (node?.tag !== 0xa1) throw new DerError('unexpected-structure', 'status of a certificate')
  const [time, reason] = node.children()
  const at = timeOf(time)
  return {
    kind: 'revoked',
    at: earliest(at, readInvalidityDate(extensions) ?? at),
    reason: reason ? readReason(explicitContent(reason)) : null,
  }
}
