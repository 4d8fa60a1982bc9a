import type { Actor } from '#server/domain/identity/actor.ts'
import type { AlertId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { changeAlert } from './change-alert.ts'
import type { ReopenAlert } from './reopen-alert.ts'

export type ResolveAlert = { alertId: AlertId }

/**
 * Marks an alert as resolved.
 *
 * @returns what undoes it; null if it was resolved already
 * @throws {Problem} see `changeAlert`
 */
export async function resolveAlert(
  system: System,
  actor: Actor,
  { alertId }: ResolveAlert,
): Promise<ReopenAlert | null> {
  const changed = await changeAlert(system, actor, alertId, 'resolved')
  if (!changed) return null
  const { state, stateSince, stateBy } = changed.before
  // It was reopened after it was read: the state from before this change is not known.
  if (state === 'resolved') return null
  return { alertId, doneAt: changed.at, before: { state, stateSince, stateBy } }
}
