import { createHash } from 'node:crypto'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Blobs } from '#server/ports/blobs.ts'

/**
 * Streams a stored file followed by `behind`.
 *
 * @throws {Problem} `stored-file-damaged` when the stored file does not match its digest
 */
export async function* appendedTo(
  blobs: Blobs,
  base: FileAddress,
  { baseLength, behind }: { baseLength: number; behind: readonly Uint8Array[] },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const piece of blobs.pieces(base, 0, baseLength)) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== base.sha256)
    throw new Problem('stored-file-damaged', `the file ${base.sha256} is not what it was`)
  yield* behind
}
