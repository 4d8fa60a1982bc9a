import { listArchivesToRenew } from '#server/db/documents/archives.ts'
import type { System } from '#server/system.ts'
import { archiveDue } from './archive-due.ts'

/**
 * Adds a new document timestamp to all documents whose newest one expires soon, with the validation data of the old
 * one. @returns the number of documents that were renewed
 */
export const renewArchives = (system: System, stopping?: AbortSignal): Promise<number> =>
  archiveDue(system, listArchivesToRenew, stopping)
