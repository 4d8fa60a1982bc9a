import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
import {
  explicitContent,
  oidOf,
  sequenceOf,
  smallIntegerOf,
} from '#server/domain/asn1/der-values.ts'
import { ID_MGF1 } from '#server/domain/asn1/object-identifiers.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { type DigestName, digestNameOf } from './digest-algorithm.ts'

export type PssParameters = {
  digest: DigestName
  /** Of the mask; nearly always the same. */
  maskDigest: DigestName
  /** In bytes. */
  saltLength: number
}

/**
 * What RSASSA-PSS-params say; undefined where they name something that we do not compute.
 *
 * @throws {DerError} @see RFC 4055, 3.1: absent means SHA-1, MGF1 with SHA-1, 20
 */
export function readPssParameters(parameters: DerNode | undefined): PssParameters | undefined {
  const fields = parameters ? sequenceOf(parameters) : []
  const isInOrder = fields.every(({ tag }, index) => tag > (fields[index - 1]?.tag ?? 0x9f))
  if (!isInOrder || fields.some(({ tag }) => tag > 0xa3))
    throw new DerError('unexpected-structure', 'parameters of PSS')
  const field = (number: number) => {
    const node = fields.find(({ tag }) => tag === (0xa0 | number))
    return node && explicitContent(node)
  }
  const [hash, mask, salt, trailer] = [field(0), field(1), field(2), field(3)]
  const digest = hash ? digestNameOf(readAlgorithmIdentifier(hash).oid) : 'sha1'
  const maskDigest = mask ? maskDigestOf(mask) : 'sha1'
  const hasKnownTrailer = !trailer || smallIntegerOf(trailer) === 1
  if (!digest || !maskDigest || !hasKnownTrailer) return undefined
  return { digest, maskDigest, saltLength: salt ? smallIntegerOf(salt) : 20 }
}

function maskDigestOf(mask: DerNode): DigestName | undefined {
  const { oid, parameters } = readAlgorithmIdentifier(mask)
  return oid === ID_MGF1 && parameters ? digestNameOf(oidOf(sequenceOf(parameters)[0])) : undefined
}
