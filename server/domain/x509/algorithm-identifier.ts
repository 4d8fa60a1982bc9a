import { DerError, type DerNode } from '#server/domain/asn1/der.ts'
import { oidOf, sequenceOf } from '#server/domain/asn1/der-values.ts'

/** @see RFC 5280, 4.1.1.2 */
export type AlgorithmIdentifier = {
  oid: string
  /** The whole element of the parameters; absent where there are none. */
  parameters: DerNode | undefined
  bytes: Uint8Array
}

/** @throws {DerError} if it is no AlgorithmIdentifier */
export function readAlgorithmIdentifier(node: DerNode | undefined): AlgorithmIdentifier {
  const [algorithm, parameters, ...more] = sequenceOf(node)
  if (!node || more.length > 0) throw new DerError('unexpected-structure', 'algorithm identifier')
  return { oid: oidOf(algorithm), parameters, bytes: node.bytes }
}
