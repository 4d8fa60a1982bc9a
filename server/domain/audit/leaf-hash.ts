import { createHash } from 'node:crypto'
import { Sha256 } from '#server/domain/ids.ts'

/**
 * The hash of a leaf of the log's Merkle tree. The 0 prefix separates leaves from nodes.
 *
 * @see RFC 6962, section 2.1
 */
export function leafHash(entry: Uint8Array): Sha256 {
  return Sha256.parse(createHash('sha256').update(Uint8Array.of(0)).update(entry).digest('hex'))
}
