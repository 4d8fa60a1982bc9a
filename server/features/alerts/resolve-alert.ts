import type { Actor } from '#server/domain/identity/actor.ts'
import type { AlertId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { changeAlert } from './change-alert.ts'

export type ResolveAlert = { alertId: AlertId }

/**
 * Marks an alert as resolved.
 *
 * @throws {Problem} see `changeAlert`
 */
export async function resolveAlert(system: System, actor: Actor, { alertId }: ResolveAlert) {
  await changeAlert(system, actor, alertId, 'resolved')
}
