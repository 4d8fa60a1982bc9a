import { createHash } from 'node:crypto'
import { type ByteSource, passChunks, type Span } from '../bytes.ts'

/** SHA-256 over the file and what of the increment does not belong to /Contents. */
export function digestOfPrepared(
  base: ByteSource,
  increment: Uint8Array,
  contents: Span,
): Uint8Array {
  const hash = base.digested?.sha256() ?? createHash('sha256')
  const start = base.digested?.length ?? 0
  passChunks(base, { start, end: base.length }, (chunk) => hash.update(chunk))
  hash.update(increment.subarray(0, contents.start - base.length))
  hash.update(increment.subarray(contents.end - base.length))
  return new Uint8Array(hash.digest())
}
