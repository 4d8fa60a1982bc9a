import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import { FIRST_LOG, type Log } from '#server/domain/audit/log.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import { occasionOfMatter } from '#server/steps/alerts/occasion-of-matter.ts'
import type { System } from '#server/system.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'

/**
 * Alerts the office of the log, or each office if it is the installation's, once, and again if the alert was resolved and the fault persists. Also logs the fault, if
 * the log can still be written.
 */
export async function raiseLogAlarm(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  { number, officeId }: Log,
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
    const found = number === FIRST_LOG ? `${kind}:${place}` : `${number}:${kind}:${place}`
    const occasionOf = (office: OfficeId) =>
      occasionOfMatter(trx, matters.auditCheck(office, signing, found))
    const isNew = await alertOffices(trx, alert, occasionOf, officeId)
    if (isNew)
      await appendSystemEvent(trx, {
        by: 'bitácora',
        at,
        officeId,
        action: 'audit.check-failed',
        subject: { kind: 'nothing' },
        result: 'refused',
        details: { fault: kind, ...where },
      })
  })
}
