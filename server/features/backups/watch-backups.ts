import { countResolvedAlerts } from '#server/db/alerts/alerts.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import { days } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
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
  await db.transaction(async (trx) => {
    for (const { id: officeId } of await listOffices(trx)) {
      const matter = matters.backupOverdue(officeId)
      await raiseAlert(trx, {
        officeId,
        userId: null,
        kind: 'backup-overdue',
        severity: 'warning',
        facts: factsOf(state, at),
        occasion: `${matter}${await countResolvedAlerts(trx, matter)}`,
        at,
      })
    }
  })
}

const factsOf = ({ last }: BackupState, at: number): Alert['facts'] =>
  last ? { days: Math.max(0, Math.floor((at - last.madeAt) / days(1))) } : {}
