import { resolveAlertsOf } from '#server/db/alerts/alerts.ts'
import { listDueArcoRequests } from '#server/db/care/arco-requests.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { type ArcoRequest, arcoNumber } from '#server/domain/care/arco-request.ts'
import { type Day, dayOf, daysBetween } from '#server/domain/day.ts'
import { after, days, formatDay, parseInstant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

/** Calendar days before the end of a term: two weeks of work, and the last day. */
const FIRST_NOTICE = 5
const LAST_NOTICE = 1
/** In the order in which they come. */
const NOTICES = ['first', 'last', 'over'] as const
const CHUNK = 200

type Watching = Pick<System, 'db' | 'clock'>

/**
 * Warns the administrators that the term of a request ends in five days, tomorrow, and that it is over: each once. A later warning
 * replaces the earlier ones.
 */
export async function watchArco(system: Watching): Promise<void> {
  const { db, clock } = system
  const zones = new Map((await listOffices(db)).map(({ id, timeZone }) => [id, timeZone]))
  // A day further than any time zone.
  const until = dayOf(after(clock.now(), days(FIRST_NOTICE + 1)), 'UTC')
  for (let behind: ArcoRequest | undefined; ; ) {
    const due = await listDueArcoRequests(db, { until, behind, limit: CHUNK })
    for (const request of due) {
      const zone = zones.get(request.officeId)
      if (zone && request.dueOn) await warn(system, request, request.dueOn, zone)
    }
    behind = due.at(-1)
    if (due.length < CHUNK) return
  }
}

async function warn(
  { db, clock }: Watching,
  request: ArcoRequest,
  dueOn: Day,
  zone: string,
): Promise<void> {
  const at = clock.now()
  const left = daysBetween(dayOf(at, zone), dueOn)
  if (left > FIRST_NOTICE) return
  const notice = left < 0 ? 'over' : left <= LAST_NOTICE ? 'last' : 'first'
  const facts = {
    ...{ arco: request.id, number: arcoNumber(request), left },
    on: formatDay(parseInstant(dueOn), 'UTC'),
  }
  const occasion = occasions.arcoDue(request.id, dueOn, notice)
  await db.transaction(async (trx) => {
    const isNew = await raiseAlert(trx, {
      ...{ officeId: request.officeId, userId: null, kind: 'arco-due', facts, occasion, at },
      severity: notice === 'first' ? 'warning' : 'danger',
    })
    if (!isNew) return
    for (const earlier of NOTICES.slice(0, NOTICES.indexOf(notice)))
      await resolveAlertsOf(trx, occasions.arcoDue(request.id, dueOn, earlier), { at, by: null })
  })
}
