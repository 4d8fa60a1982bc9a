import { countAlerts } from '#server/db/alerts/alerts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'
import { ALERTS_COUNTED, reachOf } from './alert-reach.ts'

/** Counts the unread alerts for the bell, up to `ALERTS_COUNTED`. Every page asks for it. */
export async function countUnreadAlerts({ db }: System, actor: Actor): Promise<number> {
  const reach = reachOf(mustBeSignedIn(actor))
  const { open = 0 } = await countAlerts(db, reach, ['open'], ALERTS_COUNTED)
  return Math.min(open, ALERTS_COUNTED)
}
