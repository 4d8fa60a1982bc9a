import { appendEvent } from '#server/db/audit/audit-events.ts'
import { markRecount } from '#server/db/obligations/deadline-marks.ts'
import {
  deleteNonWorkingDay,
  insertNonWorkingDay,
  listNonWorkingDays as listRows,
} from '#server/db/obligations/non-working-days.ts'
import { lockObligations } from '#server/db/obligations/obligations.ts'
import { type FederalDay, federalDaysOf } from '#server/domain/calendar/working-days.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  MOST_NON_WORKING_DAYS,
  type NonWorkingDay,
  type NonWorkingDayData,
} from '#server/domain/obligations/non-working-day.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'

export type NonWorkingDays = {
  /** Of the office, the latest first. */
  own: NonWorkingDay[]
  /** Of this year and the next. */
  federal: { day: Day; name: FederalDay }[]
}

/** The days that are no working days besides Saturdays and Sundays. @throws {Problem} `not-signed-in`, `forbidden` */
export async function listNonWorkingDays(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<NonWorkingDays> {
  const at = clock.now()
  const { office } = await authorizedOffice({ db }, actor, 'obligations.read', at)
  const year = Number(dayOf(at, office.timeZone).slice(0, 4))
  return {
    own: await listRows(db, office.id),
    federal: [...federalDaysOf(year), ...federalDaysOf(year + 1)],
  }
}

/**
 * Adds a day to the office's list. A job counts the open deadlines again.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `non-working-day-known`, `too-many-non-working-days`
 */
export async function addNonWorkingDay(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  data: NonWorkingDayData,
): Promise<void> {
  const at = clock.now()
  const { person, office } = await authorizedOffice({ db }, actor, 'obligations.manage', at)
  await db.transaction(async (trx) => {
    await lockObligations(trx, office.id)
    const { length } = await listRows(trx, office.id)
    if (length >= MOST_NON_WORKING_DAYS) throw new Problem('too-many-non-working-days', `${length}`)
    const row = { ...data, officeId: office.id, at, by: person.userId }
    if (!(await insertNonWorkingDay(trx, row)))
      throw new Problem('non-working-day-known', `${data.day} is in the list`)
    await markRecount(trx, { officeId: office.id, at })
    await appendEvent(trx, {
      ...{ actor, at, action: 'non-working-day.added', details: data },
      subject: { kind: 'office', id: office.id },
    })
  })
}

/**
 * Removes a day from the office's list. A repeated request changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function removeNonWorkingDay(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { day }: { day: Day },
): Promise<void> {
  const at = clock.now()
  const { office } = await authorizedOffice({ db }, actor, 'obligations.manage', at)
  await db.transaction(async (trx) => {
    await lockObligations(trx, office.id)
    const removed = await deleteNonWorkingDay(trx, office.id, day)
    if (!removed) return
    await markRecount(trx, { officeId: office.id, at })
    const { name, source } = removed
    await appendEvent(trx, {
      ...{ actor, at, action: 'non-working-day.removed', details: { day, name, source } },
      subject: { kind: 'office', id: office.id },
    })
  })
}
