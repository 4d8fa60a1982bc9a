import { listDailyFigures } from '#server/db/audit/daily-figures.ts'
import { dayNumberOf, FIGURES, type Figure } from '#server/domain/audit/figure.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

const WEEKS = 12
const DAYS_SHOWN = 30

export type Activity = {
  figure: Figure
  /** In the last 30 days, today included. */
  count: number
  /** In each of the last 12 weeks, the oldest first; the last one ends today. */
  weeks: number[]
}

/**
 * What the office did lately: documents uploaded, signatures, sessions completed, public verifications.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readActivity(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Activity[]> {
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.read', own, now)
  const today = dayNumberOf(now)
  const rows = await listDailyFigures(db, officeId, today - 7 * WEEKS + 1)
  const counted = Map.groupBy(rows, ({ figure }) => figure)
  return (Object.keys(FIGURES) as Figure[]).map((figure) => {
    const days = (counted.get(figure) ?? []).map(({ day, count }) => ({ ago: today - day, count }))
    const weeks = Array.from({ length: WEEKS }, (_, week) =>
      sumOf(days.filter(({ ago }) => Math.floor(ago / 7) === WEEKS - 1 - week)),
    )
    return { figure, weeks, count: sumOf(days.filter(({ ago }) => ago < DAYS_SHOWN)) }
  })
}

const sumOf = (days: readonly { count: number }[]) => days.reduce((sum, day) => sum + day.count, 0)
