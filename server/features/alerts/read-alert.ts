import type { Actor } from '#server/domain/identity/actor.ts'
import type { AlertId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { changeAlert } from './change-alert.ts'

export type ReadAlert = { alertId: AlertId }

/**
 * Marks an alert as read: it leaves the bell and stays in the list until it is resolved.
 *
 * @throws {Problem} see `changeAlert`
 */
export async function readAlert(system: System, actor: Actor, { alertId }: ReadAlert) {
  await changeAlert(system, actor, alertId, 'read')
}
