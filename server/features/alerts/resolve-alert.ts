import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { AlertId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { changeAlert } from './change-alert.ts'

export const ResolveAlert = z.strictObject({ alertId: AlertId })
export type ResolveAlert = z.infer<typeof ResolveAlert>

/**
 * Marks an alert as resolved.
 *
 * @throws {Problem} see `changeAlert`
 */
export async function resolveAlert(system: System, actor: Actor, { alertId }: ResolveAlert) {
  await changeAlert(system, actor, alertId, 'resolved')
}
