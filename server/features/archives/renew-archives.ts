import { listArchivesToRenew } from '#server/db/documents/archives.ts'
import { leaveSilentAuthorities } from '#server/steps/signing/leave-silent-authorities.ts'
import type { System } from '#server/system.ts'
import { archiveAll } from './archive-waiting.ts'

const AT_ONCE = 50

/**
 * Adds a new document timestamp to all documents whose newest one expires soon, with the validation data of the old
 * one. Leaves the rest to the next run if all of a whole page failed, because then an authority does not answer.
 *
 * @returns the number of documents that were renewed
 * @throws the first error that was not foreseen, afterwards
 */
export async function renewArchives(system: System, stopping?: AbortSignal): Promise<number> {
  // Those that are put off are due later than this, and so are not listed again in this run.
  const now = system.clock.now()
  const asking = leaveSilentAuthorities(system)
  let renewed = 0
  let failure: unknown
  while (!stopping?.aborted) {
    const ids = await listArchivesToRenew(system.db, { now, limit: AT_ONCE })
    const done = await archiveAll(system, ids, asking, stopping)
    renewed += done.kept
    failure ??= done.failure
    if (ids.length < AT_ONCE || done.vain === ids.length) break
  }
  if (failure) throw failure
  return renewed
}
