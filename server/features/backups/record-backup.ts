import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { insertBackup } from '#server/db/backups/backups.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Backup } from '#server/domain/backups/backup.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

type Recording = Pick<System, 'db' | 'clock'>

/** Call when the file has its name: if we crash before, the backup is whole and only not known here. */
export async function recordBackup({ db, clock }: Recording, backup: Backup): Promise<void> {
  const at = clock.now()
  await db.transaction((trx) => record(trx, backup, at, 'backup.made', 'rubrica backup'))
}

/** Call when the restored state is in place. */
export async function recordRestore({ db, clock }: Recording, backup: Backup): Promise<void> {
  const at = clock.now()
  await db.transaction((trx) => record(trx, backup, at, 'backup.restored', 'rubrica restore'))
}

async function record(
  trx: Transaction,
  backup: Backup,
  at: Instant,
  action: 'backup.made' | 'backup.restored',
  by: string,
): Promise<void> {
  const { id, since, recipient, bytes, files, missing, madeAt } = backup
  await insertBackup(trx, backup)
  for (const { id: officeId } of await listOffices(trx))
    await resolveAlertsAbout(trx, matters.backupOverdue(officeId), { at, by: null })
  await appendSystemEvent(trx, {
    by,
    at,
    officeId: null,
    action,
    subject: { kind: 'nothing' },
    result: 'success',
    details: { backup: id, since, madeAt, recipient, bytes, files, missing },
  })
}
