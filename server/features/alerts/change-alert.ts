import { findAlert, replaceAlertState } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Alert, AlertState } from '#server/domain/alerts/alert.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { AlertId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { alertReach } from './alert-reach.ts'

/**
 * Changes the state of an alert and logs it; does nothing if the alert is in that state already.
 *
 * @returns the alert until then, and the time of the change; null if nothing changed
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` for an alert outside the caller's reach
 */
export async function changeAlert(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  alertId: AlertId,
  to: 'read' | 'resolved',
): Promise<{ before: Alert; at: Instant } | null> {
  const { db, clock } = system
  const at = clock.now()
  const { person, reach } = await alertReach(system, actor, at)
  const alert = await findAlert(db, reach, alertId)
  if (!alert) throw new Problem('not-found', `no alert ${alertId} for ${person.userId}`)
  const from: AlertState[] = to === 'read' ? ['open'] : ['open', 'read']

  return await db.transaction(async (trx) => {
    if (!(await replaceAlertState(trx, alertId, from, to, { at, by: person.userId }))) return null
    await appendEvent(trx, {
      actor,
      at,
      action: `alert.${to}`,
      subject: { kind: 'alert', id: alertId },
      details: { kind: alert.kind },
    })
    return { before: alert, at }
  })
}
