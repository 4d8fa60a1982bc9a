import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import { occasionOfMatter } from '#server/steps/alerts/occasion-of-matter.ts'
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
  const facts = { fault: sentenceOfLogFault(fault), signing }
  const alert = { kind: 'audit-check-failed', severity: 'danger', facts, at } as const
  await db.transaction(async (trx) => {
    const isNew = await alertOffices(trx, alert, (officeId) =>
      occasionOfMatter(trx, matters.auditCheck(officeId, signing, `${kind}:${place}`)),
    )
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
