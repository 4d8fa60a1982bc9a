import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import {
  bitStringOctetsOf,
  explicitContent,
  sequenceOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_AUTHORITY_KEY_IDENTIFIER,
  ID_CRL_NUMBER,
  ID_DELTA_CRL_INDICATOR,
  ID_EXPIRED_CERTIFICATES_ON_CRL,
  ID_ISSUING_DISTRIBUTION_POINT,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import { type Extension, readExtensions } from '#server/domain/x509/extensions.ts'
import { type Name, readName } from '#server/domain/x509/name.ts'
import { type DistributionScope, readDistributionScope } from './distribution-scope.ts'
import { hasUnknownCritical, readGrace } from './entry-extensions.ts'

/** A certificate revocation list. Every `Uint8Array` is as it came. */
export type CertificateList = {
  /** What the issuer signed. */
  tbs: Uint8Array
  signatureAlgorithm: AlgorithmIdentifier
  /** The algorithm as the signed part names it; must be the same bytes. */
  signedAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  issuer: Name
  thisUpdate: Instant
  nextUpdate: Instant | undefined
  /** The run of entries, one after another; read by `revocationsOf`, because there may be a million. */
  entries: Uint8Array
  /** It holds the changes since another list. */
  isDelta: boolean
  scope: DistributionScope
  /** Certificates that expired after this time are still listed. @see ITU-T X.509 (10/2019), 9.5.2.8 */
  expiredSince: Instant | undefined
  hasUnknownCritical: boolean
}

const KNOWN = [
  ID_CRL_NUMBER,
  ID_DELTA_CRL_INDICATOR,
  ID_ISSUING_DISTRIBUTION_POINT,
  ID_AUTHORITY_KEY_IDENTIFIER,
  ID_EXPIRED_CERTIFICATES_ON_CRL,
]

/**
 * The list that `der` consists of; whether to believe it is another question.
 *
 * @throws {DerError} if it is none
 * @see RFC 5280, 5.1
 */
export function readCertificateList(der: Uint8Array): CertificateList {
  const [tbs, algorithm, signature, ...more] = sequenceOf(readDer(der))
  if (!tbs || more.length > 0) throw new DerError('unexpected-structure', 'not a list')
  const fields = [...sequenceOf(tbs)]
  const version = fields[0]?.tag === TAG.integer ? smallIntegerOf(fields.shift()) : 0
  if (version > 1) throw new DerError('bad-value', 'a list of an unknown version')
  const [signedAlgorithm, issuer, thisUpdate, ...rest] = fields
  const nextUpdate = isTime(rest[0]) ? rest.shift() : undefined
  const entries = rest[0]?.tag === TAG.sequence ? rest.shift() : undefined
  const extensions = readOptionalExtensions(rest.shift())
  if (rest.length > 0) throw new DerError('unexpected-structure', 'not a list')
  return {
    tbs: tbs.bytes,
    signatureAlgorithm: readAlgorithmIdentifier(algorithm),
    signedAlgorithm: readAlgorithmIdentifier(signedAlgorithm),
    signature: bitStringOctetsOf(signature),
    issuer: readName(issuer),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate && timeOf(nextUpdate),
    entries: entries?.content ?? new Uint8Array(),
    ...readMeaning(extensions),
  }
}

const isTime = (node: DerNode | undefined) =>
  node?.tag === TAG.utcTime || node?.tag === TAG.generalizedTime

function readOptionalExtensions(node: DerNode | undefined): Extension[] {
  if (!node) return []
  if (node.tag !== 0xa0) throw new DerError('unexpected-structure', 'extensions of a list')
  return readExtensions(explicitContent(node))
}

function readMeaning(extensions: readonly Extension[]) {
  const contentOf = (id: string) => extensions.find(({ oid }) => oid === id)?.value
  return {
    isDelta: contentOf(ID_DELTA_CRL_INDICATOR) !== undefined,
    scope: readDistributionScope(contentOf(ID_ISSUING_DISTRIBUTION_POINT)),
    expiredSince: readGrace(extensions, ID_EXPIRED_CERTIFICATES_ON_CRL),
    hasUnknownCritical: hasUnknownCritical(extensions, KNOWN),
  }
}
