import { createHash } from 'node:crypto'
import { type ByteSource, passChunks, type Span } from '#server/domain/bytes.ts'

export type PreparedDigests = {
  /** SHA-256 over the file and the increment, without /Contents. */
  digest: Uint8Array
  /** SHA-256 of the file as read here. */
  baseDigest: Uint8Array
}

export function digestOfPrepared(
  base: ByteSource,
  increment: Uint8Array,
  contents: Span,
): PreparedDigests {
  const hash = base.digested?.sha256() ?? createHash('sha256')
  const start = base.digested?.length ?? 0
  passChunks(base, { start, end: base.length }, (chunk) => hash.update(chunk))
  const baseDigest = new Uint8Array(hash.copy().digest())
  hash.update(increment.subarray(0, contents.start - base.length))
  hash.update(increment.subarray(contents.end - base.length))
  return { digest: new Uint8Array(hash.digest()), baseDigest }
}
