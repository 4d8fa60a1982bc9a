import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { AlertId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { changeAlert } from './change-alert.ts'

export const ReadAlert = z.strictObject({ alertId: AlertId })
export type ReadAlert = z.infer<typeof ReadAlert>

/**
 * Marks an alert as read: it leaves the bell and stays in the list until it is resolved.
 *
 * @throws {Problem} see `changeAlert`
 */
export async function readAlert(system: System, actor: Actor, { alertId }: ReadAlert) {
  await changeAlert(system, actor, alertId, 'read')
}
