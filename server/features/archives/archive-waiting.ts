import { listUnarchived, putOffArchive } from '#server/db/documents/archives.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, minutes } from '#server/domain/time.ts'
import {
  type Asking,
  leaveSilentAuthorities,
} from '#server/steps/signing/leave-silent-authorities.ts'
import type { System } from '#server/system.ts'
import { archiveDocument } from './archive-document.ts'

const AT_ONCE = 50
/** Until a document is looked at again that went into a signing session or cannot be read, so that it does not block the others. */
const PUT_OFF = minutes(10)

/** Adds the long-term proof to the signed documents that wait for it. */
export async function archiveWaiting(system: System, stopping?: AbortSignal): Promise<number> {
  const now = system.clock.now()
  const ids = await listUnarchived(system.db, { now, limit: AT_ONCE })
  const { kept, failure } = await archiveAll(system, ids, leaveSilentAuthorities(system), stopping)
  if (failure) throw failure
  return kept
}

export type Archived = {
  /** The number of documents that have their proof now. */
  kept: number
  /** The number of those that were tried, and wait for their next attempt. */
  vain: number
  /** The first error that was not foreseen. */
  failure?: unknown
}

/**
 * Archives documents one by one, because each takes worker threads and requests to authorities. Afterwards none of them is due:
 * one that failed is put off.
 *
 * @param asking the authorities, as one run of a job asks them
 */
export async function archiveAll(
  system: System,
  ids: readonly DocumentId[],
  asking: Asking,
  stopping?: AbortSignal,
): Promise<Archived> {
  const done: Archived = { kept: 0, vain: 0 }
  const { timestamps, areAllSilent } = asking
  for (const id of ids) {
    if (stopping?.aborted) break
    try {
      const outcome = await archiveDocument({ ...system, timestamps }, id, areAllSilent)
      if (outcome === 'kept') done.kept += 1
      if (outcome === 'waiting') done.vain += 1
      if (outcome === 'not-yet') await putOff(system, id)
    } catch (error) {
      done.vain += 1
      // The document changed meanwhile: its new version is archived.
      if (!(error instanceof Problem)) done.failure ??= error
      await putOff(system, id)
    }
  }
  return done
}

async function putOff({ db, clock }: System, id: DocumentId): Promise<void> {
  const now = clock.now()
  await db.transaction((trx) => putOffArchive(trx, id, now, after(now, PUT_OFF)))
}
