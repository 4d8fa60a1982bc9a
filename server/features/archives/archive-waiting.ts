import { listUnarchived } from '#server/db/documents/archives.ts'
import type { System } from '#server/system.ts'
import { archiveDue } from './archive-due.ts'

/** Adds the long-term proof to all signed documents that wait for it. @returns the number of those that have it now */
export const archiveWaiting = (system: System, stopping?: AbortSignal): Promise<number> =>
  archiveDue(system, listUnarchived, stopping)
