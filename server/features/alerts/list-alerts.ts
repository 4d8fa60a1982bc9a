import { z } from 'zod'
import { countAlerts, listAlerts as listAlertRows } from '#server/db/alerts/alerts.ts'
import { findUsers } from '#server/db/people/users.ts'
import { type Alert, AlertState } from '#server/domain/alerts/alert.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { AlertId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { findAlertOwners, namesOwner } from '#server/steps/alerts/find-alert-owner.ts'
import type { System } from '#server/system.ts'
import { ALERTS_COUNTED, alertReach } from './alert-reach.ts'

const PAGE = 50

export const ListAlerts = z.object({
  /** `waiting`: open or read, and not resolved. */
  show: z.enum(['waiting', 'resolved']).default('waiting'),
  /** The `next` of the previous page. */
  behind: pageCursor(AlertId).optional(),
  limit: z.int().positive().max(PAGE).default(PAGE),
})
export type ListAlerts = z.infer<typeof ListAlerts>

/** `about` names the affected user of an alert that others get. */
type ListedAlert = Alert & { about: string | null }

export type AlertPage = {
  alerts: ListedAlert[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
  /** Up to `ALERTS_COUNTED`. */
  counts: { waiting: number; resolved: number }
  hasUnread: boolean
}

/**
 * A page of the caller's alerts, newest first: their own and, for administrators, those of the office.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listAlerts(
  system: System,
  actor: Actor,
  { show, behind, limit }: ListAlerts,
): Promise<AlertPage> {
  const { db, clock } = system
  const { reach } = await alertReach(system, actor, clock.now())
  const states = show === 'waiting' ? (['open', 'read'] as const) : (['resolved'] as const)
  const found = await listAlertRows(db, { ...reach, states, behind, limit: limit + 1 })
  const alerts = found.slice(0, limit)
  const last = found.length > limit ? alerts.at(-1) : undefined
  const all = AlertState.options
  const { open = 0, read = 0, resolved = 0 } = await countAlerts(db, reach, all, ALERTS_COUNTED)
  return {
    alerts: await withNames(system, alerts),
    next: last && cursorText(last),
    hasUnread: open > 0,
    counts: {
      waiting: Math.min(open + read, ALERTS_COUNTED),
      resolved: Math.min(resolved, ALERTS_COUNTED),
    },
  }
}

async function withNames({ db }: System, alerts: readonly Alert[]): Promise<ListedAlert[]> {
  const owners = await findAlertOwners(db, alerts.filter(namesOwner))
  const users = await findUsers(db, owners.values())
  return alerts.map((alert) => {
    const id = owners.get(alert)
    const owner = id && users.get(id)
    return { ...alert, about: owner?.officeId === alert.officeId ? fullName(owner) : null }
  })
}
