import { listUnarchived, putOffArchive } from '#server/db/documents/archives.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, minutes } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { archiveDocument } from './archive-document.ts'

const AT_ONCE = 50
/** Until a document that went into a signing session is looked at again, so that it does not block the others. */
const PUT_OFF = minutes(10)

/** Adds the long-term proof to the signed documents that wait for it. */
export async function archiveWaiting(system: System, stopping?: AbortSignal): Promise<number> {
  const now = system.clock.now()
  const ids = await listUnarchived(system.db, { now, limit: AT_ONCE })
  return await archiveAll(system, ids, stopping)
}

/**
 * Archives documents one by one, because each takes worker threads and requests to authorities.
 *
 * @returns the number of documents archived
 * @throws the first error, after all documents were tried
 */
export async function archiveAll(
  system: System,
  ids: readonly DocumentId[],
  stopping?: AbortSignal,
): Promise<number> {
  let kept = 0
  const failures: unknown[] = []
  for (const id of ids) {
    if (stopping?.aborted) break
    try {
      const outcome = await archiveDocument(system, id)
      if (outcome === 'kept') kept += 1
      if (outcome === 'not-yet') await putOff(system, id)
    } catch (error) {
      // The document changed meanwhile: the next run archives its new version.
      if (!(error instanceof Problem)) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return kept
}

async function putOff({ db, clock }: System, id: DocumentId): Promise<void> {
  const until = after(clock.now(), PUT_OFF)
  await db.transaction((trx) => putOffArchive(trx, id, until))
}
