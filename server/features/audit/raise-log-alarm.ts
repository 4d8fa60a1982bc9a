import { countResolvedAlerts } from '#server/db/alerts/alerts.ts'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'

/**
 * Alerts each office once, and again if the alert was resolved and the fault persists. Also logs the fault, if
 * the log can still be written.
 */
export async function raiseLogAlarm(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  fault: LogFault,
  signing: 'stopped' | 'goes-on',
): Promise<void> {
  const at = clock.now()
  const { kind, ...where } = fault
  // In a truncated log the event count grows again with these events, so it does not identify the fault.
  const place = 'size' in fault ? fault.size : Object.values(where).join('-')
  await db.transaction(async (trx) => {
    let isNew = false
    for (const { id: officeId } of await listOffices(trx)) {
      const matter = matters.auditCheck(officeId, signing, `${kind}:${place}`)
      isNew =
        (await raiseAlert(trx, {
          officeId,
          userId: null,
          kind: 'audit-check-failed',
          severity: 'danger',
          facts: { fault: sentenceOfLogFault(fault), signing },
          occasion: `${matter}${await countResolvedAlerts(trx, matter)}`,
          at,
        })) || isNew
    }
    if (isNew)
      await appendSystemEvent(trx, {
        by: 'bitácora',
        at,
        officeId: null,
        action: 'audit.check-failed',
        subject: { kind: 'nothing' },
        result: 'refused',
        details: { fault: kind, ...where },
      })
  })
}
