import { occasions } from '#server/domain/alerts/occasions.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { type Instant, seconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { raiseAlert } from './raise-alert.ts'

/** A timestamp is a second old at most when it arrives, and authorities are asked for at most some seconds. */
const MOST_DIFFERENCE = seconds(60)

/** Alerts the administrators, once a day, if the clock differs from the time that an authority has just stated. */
export async function compareClock(
  { db, clock, settings: { machine } }: Pick<System, 'db' | 'clock' | 'settings'>,
  officeId: OfficeId,
  stated: Instant,
): Promise<void> {
  const at = clock.now()
  const difference = Math.abs(at - stated)
  if (difference <= MOST_DIFFERENCE) return
  await db.transaction((trx) =>
    raiseAlert(trx, {
      officeId,
      userId: null,
      kind: 'clock-wrong',
      severity: 'danger',
      facts: { machine, against: 'authority', seconds: Math.round(difference / seconds(1)) },
      occasion: occasions.clockWrong(officeId, 'authority', machine, at),
      at,
    }),
  )
}
