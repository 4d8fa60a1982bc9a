import { type DiskUse, isBelowFloor, isOutOfSpace } from '#server/domain/installation/disk-floor.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { Blobs, StagedBlob } from '#server/ports/blobs.ts'
import type { Disk } from '#server/ports/disk.ts'

/** Many large files may be written at once, so the room is looked up again within each. */
const BYTES_BETWEEN_LOOKS = 8 * 1024 ** 2
const RETRY_AFTER = seconds(60)

/**
 * The same blobs, but nothing is written below the floor of its use: the files of strangers are refused first, uploads
 * next, signatures last. Reading is never refused.
 */
export function guardedBlobs(blobs: Blobs, disk: Pick<Disk, 'space'>): Blobs {
  async function mustHaveRoom(use: DiskUse): Promise<void> {
    const space = await disk.space()
    if (isBelowFloor(space, use)) throw refusalOf(use, `only ${space.free} bytes are free`)
  }

  async function* withRoom(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    use: DiskUse,
  ): AsyncGenerator<Uint8Array> {
    let unseen = 0
    for await (const chunk of chunks) {
      unseen += chunk.length
      if (unseen >= BYTES_BETWEEN_LOOKS) {
        await mustHaveRoom(use)
        unseen = 0
      }
      yield chunk
    }
  }

  return {
    ...blobs,
    async stage(chunks, limit, options) {
      const use = options?.isPublic ? 'verification' : 'upload'
      await mustHaveRoom(use)
      const staged = await writing(use, () => blobs.stage(withRoom(chunks, use), limit, options))
      return guardedStaged(staged, use)
    },
    parts: {
      ...blobs.parts,
      async write(chunks, limit, keyOf) {
        await mustHaveRoom('upload')
        return await writing('upload', () => blobs.parts.write(chunks, limit, keyOf))
      },
    },
    async append(base, tail) {
      await mustHaveRoom('signature')
      const appended = await writing('signature', () => blobs.append(base, tail))
      const named: typeof appended.named = (sha256) =>
        guardedStaged(appended.named(sha256), 'signature')
      return { ...appended, named }
    },
  }
}

/** A new folder needs room, too. */
const guardedStaged = (staged: StagedBlob, use: DiskUse): StagedBlob => ({
  ...staged,
  keep: (officeId) => writing(use, () => staged.keep(officeId)),
  place: (officeId) => writing(use, () => staged.place(officeId)),
})

async function writing<T>(use: DiskUse, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
    throw refusalOf(use, 'no bytes are free', error)
  }
}

/** Strangers are not told about the disk. */
function refusalOf(use: DiskUse, message: string, cause?: unknown): Problem {
  return use === 'verification'
    ? new Problem('verification-busy', message, { cause, retryAfter: RETRY_AFTER })
    : new Problem('disk-full', message, { cause })
}
