import { z } from 'zod'
import { FileName } from '#server/domain/documents/file-name.ts'
import { refusingOtherFiles } from '#server/domain/documents/refuse-other-files.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import type { System } from '#server/system.ts'
import { consumePublicAttempt } from './consume-public-attempt.ts'
import { laneOf, workInTurn } from './lane-of.ts'

/** How long the client may read nothing of the answer. */
const IDLE = seconds(60)

export const ExtractSignedRevision = z.object({
  fileName: FileName,
  /** Number of the signature in the file's report; counts from 1. */
  signature: z.coerce.number().int().positive().max(9999),
})
export type ExtractSignedRevision = z.infer<typeof ExtractSignedRevision>

export type ExtractedRevision = {
  /** In bytes. */
  size: number
  /**
   * The temporary file is deleted at the end of the stream, when it is cancelled, or when the client reads nothing for
   * a while.
   */
  content: ReadableStream<Uint8Array>
}

/**
 * Returns an uploaded file as it was when signed: everything up to the end of the revision that the signature
 * covers. Keeps nothing of the file.
 *
 * @throws {Problem} `not-found` for a signature that does not exist or covers no whole revision;
 *   `pdf-too-complex`, `damaged-pdf`; see `verifyUpload` for the others
 */
export async function extractSignedRevision(
  system: System,
  actor: Actor,
  input: ExtractSignedRevision & {
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
    /** Called when the temporary file of an answer is deleted. */
    onEnd?: () => void
    /** Aborted when the sender is gone: the work is given up. */
    signal?: AbortSignal
  },
): Promise<ExtractedRevision> {
  const lane = laneOf(system, actor)
  const { blobs, settings, pdf, isPublic } = lane
  if (pdf.isCrowded())
    throw new Problem('too-many-attempts', 'too many files wait to be verified', { kind: 'crowd' })
  await consumePublicAttempt(system, actor, 'file')
  const content = refusingOtherFiles(input.content)
  const staged = await blobs.stage(content, settings.uploadLimit, { isPublic })
  try {
    const { signal } = input
    const find = () => pdf.signedRevisions(staged.file, { isPatient: true, signal })
    const ends = await workInTurn(lane, actor, find, signal)
    const end = ends[input.signature - 1]
    if (!end) throw new Problem('not-found', `no revision of signature ${input.signature}`)
    return { size: end, content: readOnce(staged, end, input.onEnd) }
  } catch (error) {
    await staged.discard()
    throw error
  }
}

function readOnce(
  staged: StagedBlob,
  end: number,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  const reader = staged.stream(0, end).getReader()
  let idle: NodeJS.Timeout | undefined
  async function finish(): Promise<void> {
    clearTimeout(idle)
    await staged.discard()
    onEnd()
  }
  async function stop(reason: unknown): Promise<void> {
    await reader.cancel(reason)
    await finish()
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(idle)
      const { done, value } = await reader.read().catch(async (error) => {
        await finish()
        throw error
      })
      if (done) {
        controller.close()
        return await finish()
      }
      idle = setTimeout(() => {
        controller.error(new Error('the client reads nothing'))
        void stop('idle')
      }, IDLE)
      controller.enqueue(value)
    },
    cancel: stop,
  })
}
