import { z } from 'zod'
import { markAlertsRead } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { alertReach } from './alert-reach.ts'

/** More stay open, and the button stays with them. */
const MOST_READ_AT_ONCE = 500

export const ReadAllAlerts = z.object({
  /** When the caller saw the list: later alerts stay open. */
  until: Instant,
})
export type ReadAllAlerts = z.infer<typeof ReadAllAlerts>

/**
 * Marks the caller's alerts as read, at most `MOST_READ_AT_ONCE`, with one event that has their number.
 *
 * @returns how many were open, and whether more of them stay so
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readAllAlerts(
  system: System,
  actor: Actor,
  { until }: ReadAllAlerts,
): Promise<{ count: number; hasMore: boolean }> {
  const { db, clock } = system
  const at = clock.now()
  const { person, reach } = await alertReach(system, actor, at)
  const by = person.userId
  return await db.transaction(async (trx) => {
    const limit = MOST_READ_AT_ONCE
    const { count, hasMore } = await markAlertsRead(trx, reach, { until, limit, at, by })
    if (count > 0)
      await appendEvent(trx, {
        actor,
        at,
        action: 'alert.all-read',
        subject: { kind: 'user', id: by },
        details: { count },
      })
    return { count, hasMore }
  })
}
