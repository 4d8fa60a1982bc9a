import { createHash } from 'node:crypto'
import { Sha256 } from '#server/domain/ids.ts'

/** The SHA-256 of bytes that are in memory, or of a text as UTF-8, in lower-case hexadecimal. */
export function sha256(content: Uint8Array | string): Sha256 {
  return Sha256.parse(createHash('sha256').update(content).digest('hex'))
}
