import { occasions } from '#server/domain/alerts/occasions.ts'
import { type Duration, seconds } from '#server/domain/time.ts'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import type { System } from '#server/system.ts'

/** People notice such a wait. */
const SLOW = seconds(1)
/** One slow minute may be a backup of the machine. */
const MINUTES = 5

/** Alerts the administrators of each office, once a day for each machine, when requests waited long in each of the last minutes. */
export async function reportSlowServer({
  db,
  clock,
  loopDelay,
  settings: { machine },
}: Pick<System, 'db' | 'clock' | 'loopDelay' | 'settings'>): Promise<void> {
  const last = loopDelay.minutes().slice(-MINUTES)
  if (last.length < MINUTES || last.some((longest) => longest < SLOW)) return
  const at = clock.now()
  const facts = { machine, seconds: secondsOf(last) }
  await db.transaction((trx) =>
    alertOffices(trx, { kind: 'server-slow', severity: 'warning', facts, at }, (officeId) =>
      occasions.serverSlow(officeId, machine, at),
    ),
  )
}

const secondsOf = (waits: readonly Duration[]) => Math.round(Math.max(...waits) / seconds(1))
