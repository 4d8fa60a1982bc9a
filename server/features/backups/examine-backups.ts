import type { Finding } from '#server/domain/installation/finding.ts'
import { days, toTimestamp } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findBackupState } from './find-backup-state.ts'

/** What the examination says about the last backup; nothing if there is none and none is expected (`BACKUP_DAYS=0`). */
export async function examineBackups(
  system: Pick<System, 'db' | 'settings' | 'clock'>,
): Promise<Finding[]> {
  const at = system.clock.now()
  const state = await findBackupState(system, at)
  if (!state) return []
  const { last, dueAt, isOverdue } = state
  if (!last)
    return dueAt === null ? [] : [{ code: 'backup-missing', level: 'warning', parameters: {} }]
  const age = Math.max(0, Math.floor((at - last.madeAt) / days(1)))
  const parameters = { madeAt: toTimestamp(last.madeAt), days: age }
  return [
    isOverdue
      ? { code: 'backup-overdue', level: 'warning', parameters }
      : { code: 'backup-held', level: 'good', parameters },
  ]
}
