import type { AlertReach } from '#server/db/alerts/alerts.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** Alerts are counted up to this number: pages show "99+". */
export const ALERTS_COUNTED = 100

/**
 * The alerts that the caller may see.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function alertReach(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  at: Instant,
): Promise<{ person: Person; reach: AlertReach }> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'alerts.read', own, at)
  return { person, reach: reachOf(person) }
}

export function reachOf({ officeId, userId, roles }: Person): AlertReach {
  const office = isAllowed(roles, 'alerts.read-office') ? 'included' : 'left-out'
  return { officeId, userId, office }
}
