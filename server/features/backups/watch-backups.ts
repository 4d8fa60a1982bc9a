import type { Alert } from '#server/domain/alerts/alert.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import { days } from '#server/domain/time.ts'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import { occasionOfCondition } from '#server/steps/alerts/occasion-of-matter.ts'
import type { System } from '#server/system.ts'
import { type BackupState, findBackupState } from './find-backup-state.ts'

/** Alerts the administrators of each office once when the last backup is too old; the next backup resolves it. */
export async function watchBackups(
  system: Pick<System, 'db' | 'clock' | 'settings'>,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const state = await findBackupState(system, at)
  if (!state?.isOverdue) return
  const facts = factsOf(state, at)
  await db.transaction((trx) =>
    alertOffices(trx, { kind: 'backup-overdue', severity: 'warning', facts, at }, (officeId) =>
      occasionOfCondition(trx, matters.backupOverdue(officeId), at),
    ),
  )
}

const factsOf = ({ last }: BackupState, at: number): Alert['facts'] =>
  last ? { days: Math.max(0, Math.floor((at - last.madeAt) / days(1))) } : {}
