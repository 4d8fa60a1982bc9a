import { listOffices } from '#server/db/people/offices.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { type Duration, seconds } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

/** People notice such a wait. */
const SLOW = seconds(1)
/** One slow minute may be a backup of the machine. */
const MINUTES = 5

/** Alerts the administrators of each office, once a day, when requests waited long in each of the last minutes. */
export async function reportSlowServer({
  db,
  clock,
  loopDelay,
}: Pick<System, 'db' | 'clock' | 'loopDelay'>): Promise<void> {
  const last = loopDelay.minutes().slice(-MINUTES)
  if (last.length < MINUTES || last.some((longest) => longest < SLOW)) return
  const at = clock.now()
  await db.transaction(async (trx) => {
    for (const { id: officeId } of await listOffices(trx))
      await raiseAlert(trx, {
        officeId,
        userId: null,
        kind: 'server-slow',
        severity: 'warning',
        facts: { seconds: secondsOf(last) },
        occasion: occasions.serverSlow(officeId, at),
        at,
      })
  })
}

const secondsOf = (waits: readonly Duration[]) => Math.round(Math.max(...waits) / seconds(1))
