import { listLastEventTimes } from '#server/db/audit/logs.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import type { System } from '#server/system.ts'

/** Two processes may differ by less, and so may two events. */
const MOST_DIFFERENCE = minutes(2)

/**
 * Alerts the administrators of each office, once a day, if the last event of a log is later than now: the clock was ahead and was
 * set back, is behind, or another machine's clock is ahead.
 */
export async function watchClock({
  db,
  clock,
  settings: { machine },
}: Pick<System, 'db' | 'clock' | 'settings'>): Promise<void> {
  const last = Math.max(...(await listLastEventTimes(db)))
  const at = clock.now()
  if (last - at <= MOST_DIFFERENCE) return
  const facts = { machine, against: 'log', seconds: Math.round((last - at) / seconds(1)) }
  await db.transaction((trx) =>
    alertOffices(trx, { kind: 'clock-wrong', severity: 'danger', facts, at }, (officeId) =>
      occasions.clockWrong(officeId, 'log', machine, at),
    ),
  )
}
