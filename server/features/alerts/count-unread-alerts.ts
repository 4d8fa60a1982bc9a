import { countAlerts } from '#server/db/alerts/alerts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'
import { reachOf } from './alert-reach.ts'

/** How many alerts nobody has read yet, for the bell; it is asked for on every page. */
export async function countUnreadAlerts({ db }: System, actor: Actor): Promise<number> {
  const { open = 0 } = await countAlerts(db, reachOf(mustBeSignedIn(actor)))
  return open
}
