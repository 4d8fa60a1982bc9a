import { countAlerts } from '#server/db/alerts/alerts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'
import { reachOf } from './alert-reach.ts'

/** Counts the unread alerts for the bell. Every page asks for it. */
export async function countUnreadAlerts({ db }: System, actor: Actor): Promise<number> {
  const { open = 0 } = await countAlerts(db, reachOf(mustBeSignedIn(actor)))
  return open
}
