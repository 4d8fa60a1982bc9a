import { findFirstEventTime } from '#server/db/audit/audit-events.ts'
import { findLastBackup } from '#server/db/backups/backups.ts'
import type { Backup } from '#server/domain/backups/backup.ts'
import { backupDueAt, MOST_AHEAD } from '#server/domain/backups/overdue.ts'
import { after, type Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

export type BackupState = {
  last: Backup | undefined
  /** Null if the operator does not want to be told. */
  dueAt: Instant | null
  isOverdue: boolean
}

/** @returns undefined for an installation in which nothing has happened yet */
export async function findBackupState(
  { db, settings }: Pick<System, 'db' | 'settings'>,
  at: Instant,
): Promise<BackupState | undefined> {
  const since = await findFirstEventTime(db)
  if (since === undefined) return undefined
  const last = await findLastBackup(db, after(at, MOST_AHEAD))
  const { backupAge } = settings
  if (backupAge === null) return { last, dueAt: null, isOverdue: false }
  const dueAt = backupDueAt(last?.madeAt, since, backupAge)
  return { last, dueAt, isOverdue: at >= dueAt }
}
