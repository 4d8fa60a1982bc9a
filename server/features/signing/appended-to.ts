import type { Sha256 } from '#server/domain/ids.ts'
import type { Blobs } from '#server/ports/blobs.ts'

/** A stored file with something behind it: nothing of it is written again. */
export async function* appendedTo(
  blobs: Blobs,
  base: Sha256,
  { baseLength, bytes }: { baseLength: number; bytes: Uint8Array },
): AsyncGenerator<Uint8Array> {
  yield* blobs.pieces(base, 0, baseLength)
  yield bytes
}
