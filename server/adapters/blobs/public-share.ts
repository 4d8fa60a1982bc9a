import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'

/** In bytes: five of the largest documents. */
export const PUBLIC_SHARE = 1024 ** 3

const RETRY_AFTER = seconds(30)

/**
 * Counts the bytes that the files of strangers take up. The count is of this process: files that a crashed process
 * left are not in it.
 *
 * @param most bytes at once
 */
export function createPublicShare(most: number) {
  let used = 0

  function mustFit(bytes: number): void {
    if (used + bytes <= most) return
    throw new Problem('verification-busy', `the files of strangers take up ${used} bytes`, {
      retryAfter: RETRY_AFTER,
    })
  }

  return {
    /** The part of one file, until it is given back. @throws {Problem} `verification-busy` when nothing is left */
    take() {
      mustFit(1)
      let bytes = 0
      function giveBack(): void {
        used -= bytes
        bytes = 0
      }
      return {
        giveBack,
        async *counting(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
          for await (const chunk of chunks) {
            mustFit(chunk.length)
            used += chunk.length
            bytes += chunk.length
            yield chunk
          }
        },
        /** The same file, which gives its part back when it is kept or discarded. */
        givenBackBy: (staged: StagedBlob): StagedBlob => ({
          ...staged,
          keep: (officeId) => staged.keep(officeId).then(giveBack),
          place: (officeId) => staged.place(officeId).finally(giveBack),
          discard: () => staged.discard().finally(giveBack),
        }),
      }
    },
  }
}
