import type { DerNode } from '#server/domain/asn1/der.ts'
import { areEqual, sequenceOf, TAG } from '#server/domain/asn1/der-values.ts'
import {
  type AlgorithmIdentifier,
  readAlgorithmIdentifier,
} from '#server/domain/x509/algorithm-identifier.ts'
import type { SignerInfo } from './signer-info.ts'

/**
 * Whether the algorithms that a signer signed with the attributes are those that stand, unsigned, beside the
 * signature.
 *
 * @param value of the attribute cmsAlgorithmProtection
 * @throws {DerError} if it cannot be read
 * @see RFC 6211, 2 and 4
 */
export function protectsAlgorithms(
  value: DerNode,
  { digestAlgorithm, signatureAlgorithm }: SignerInfo,
): boolean {
  const [digest, ...others] = sequenceOf(value)
  const signature = others.find(({ tag }) => tag === SIGNATURE_ALGORITHM)
  if (!isSame(readAlgorithmIdentifier(digest), digestAlgorithm) || !signature) return false
  return isSame(readAlgorithmIdentifier({ ...signature, tag: TAG.sequence }), signatureAlgorithm)
}

const SIGNATURE_ALGORITHM = 0xa1

/** NULL stands for parameters that are absent. @see RFC 5754, 2 */
function isSame(a: AlgorithmIdentifier, b: AlgorithmIdentifier): boolean {
  const [own, other] = [a, b].map(({ parameters }) =>
    parameters?.tag === TAG.null ? undefined : parameters?.bytes,
  )
  const hasSame = own && other ? areEqual(own, other) : own === other
  return a.oid === b.oid && hasSame
}
