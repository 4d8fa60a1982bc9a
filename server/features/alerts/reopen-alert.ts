import { findAlert } from '#server/db/alerts/alerts.ts'
import { replaceResolution } from '#server/db/alerts/reopened-alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Alert } from '#server/domain/alerts/alert.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { AlertId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { canUndo, type UndoOutcome } from '#server/domain/undo.ts'
import type { System } from '#server/system.ts'
import { alertReach } from './alert-reach.ts'

export type ReopenAlert = {
  alertId: AlertId
  /** When the caller resolved it. */
  doneAt: Instant
  /** Its state until then. */
  before: Pick<Alert, 'stateSince' | 'stateBy'> & { state: 'open' | 'read' }
}

/**
 * Undoes that the caller resolved an alert: it has the state from before. An alert that is pending again for another
 * reason stays as it is.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` for an alert outside the caller's reach
 */
export async function reopenAlert(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { alertId, doneAt, before }: ReopenAlert,
): Promise<UndoOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const { person, reach } = await alertReach(system, actor, at)
  const alert = await findAlert(db, reach, alertId)
  if (!alert) throw new Problem('not-found', `no alert ${alertId} for ${person.userId}`)
  if (alert.state !== 'resolved') return 'undone'
  if (!canUndo(doneAt, at)) return 'too-late'

  return await db.transaction(async (trx) => {
    const resolved = { at: doneAt, by: person.userId }
    if (!(await replaceResolution(trx, alertId, resolved, before))) {
      // A second press of the button may have been faster.
      const now = await findAlert(trx, reach, alertId)
      return now?.state === 'resolved' ? 'changed' : 'undone'
    }
    await appendEvent(trx, {
      ...{ actor, at, action: 'alert.reopened' },
      subject: { kind: 'alert', id: alertId },
      details: { kind: alert.kind },
    })
    return 'undone'
  })
}
