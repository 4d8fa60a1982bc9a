import { listUnarchived } from '#server/db/documents/archives.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { archiveDocument } from './archive-document.ts'

/* Whoever signs a document after somebody else still has it on the screen as it was. */
const QUIET = minutes(5)
const AT_ONCE = 50

/** Adds the proof for the long term to documents that are signed and wait for it. */
export async function archiveWaiting(system: System, stopping?: AbortSignal): Promise<number> {
  const now = system.clock.now()
  const ids = await listUnarchived(system.db, { now, quiet: QUIET, limit: AT_ONCE })
  return await archiveAll(system, ids, stopping)
}

/**
 * One after the other: each costs threads and the patience of authorities.
 *
 * @returns how many stand now
 * @throws what the first that failed threw, once all were tried
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
      if ((await archiveDocument(system, id)) === 'kept') kept += 1
    } catch (error) {
      // It moved on while it was archived: the next round finds it as it stands then.
      if (!(error instanceof Problem)) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return kept
}
