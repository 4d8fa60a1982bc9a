import { listArchivesToRenew } from '#server/db/documents/archives.ts'
import type { System } from '#server/system.ts'
import { archiveAll } from './archive-waiting.ts'

const AT_ONCE = 50

/**
 * Adds a new document timestamp to documents whose newest one expires soon, with the validation data of the old
 * one.
 */
export async function renewArchives(system: System, stopping?: AbortSignal): Promise<number> {
  const ids = await listArchivesToRenew(system.db, { now: system.clock.now(), limit: AT_ONCE })
  return await archiveAll(system, ids, stopping)
}
