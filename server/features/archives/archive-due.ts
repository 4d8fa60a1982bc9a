import { putOffArchive } from '#server/db/documents/archives.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import {
  type Asking,
  leaveSilentAuthorities,
} from '#server/steps/signing/leave-silent-authorities.ts'
import { type Archiving, archiveDocument } from './archive-document.ts'

/** The offices have their turns in each page, so that a document that becomes due meanwhile waits for one page. */
const AT_ONCE = 50
/** Until a document is looked at again that went into a signing session or cannot be read, so that it does not block the others. */
const PUT_OFF = minutes(10)

/**
 * Archives what is due until nothing is, or until `stopping`: the process ends, or another one leads. Leaves the rest to the
 * next run if all of a whole page failed, because then an authority does not answer.
 *
 * @param list what is due, the offices in turns
 * @returns the number of documents that have their proof now
 * @throws the first error that was not foreseen, afterwards
 */
export async function archiveDue(
  system: Archiving,
  list: (db: Reader, due: { now: Instant; limit: number }) => Promise<DocumentId[]>,
  stopping?: AbortSignal,
): Promise<number> {
  const asking = leaveSilentAuthorities(system)
  let kept = 0
  let failure: unknown
  while (!stopping?.aborted) {
    const ids = await list(system.db, { now: system.clock.now(), limit: AT_ONCE })
    const done = await archiveAll(system, ids, asking, stopping)
    kept += done.kept
    failure ??= done.failure
    if (ids.length < AT_ONCE || done.vain === ids.length) break
  }
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
  system: Archiving,
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

async function putOff({ db, clock }: Archiving, id: DocumentId): Promise<void> {
  const now = clock.now()
  await db.transaction((trx) => putOffArchive(trx, id, now, after(now, PUT_OFF)))
}
