import { z } from 'zod'
import { MOST_COUNTED } from '#server/db/count-up-to.ts'
import {
  countDeadlines,
  countOpenByDay,
  type DeadlineCursor,
  listDeadlines as listRows,
} from '#server/db/obligations/deadlines.ts'
import { listObligations } from '#server/db/obligations/obligations.ts'
import { Day, dayOf, daysAfter } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DeadlineId, ObligationId } from '#server/domain/ids.ts'
import type { NamedDeadline } from '#server/domain/obligations/deadline.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'
import { lastDayOf, Month } from '#server/domain/reports/month.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'
import { namedDeadlines } from './named-deadlines.ts'

const PAGE = 50

/** They are counted up to this number. */
export const MOST_DEADLINES_COUNTED = MOST_COUNTED

/** `late`: open, and the day has passed. `week`: open, in the seven days that begin today. */
const DeadlineShow = z.enum(['open', 'late', 'week', 'done', 'not-applicable'])
type DeadlineShow = z.infer<typeof DeadlineShow>

export const ListDeadlines = z.object({
  show: DeadlineShow.default('open'),
  /** Of one obligation; of all if absent. */
  obligationId: ObligationId.optional(),
  /** Those of a month or a day; `late` and `week` have days of their own. */
  month: Month.optional(),
  day: Day.optional(),
  /** The `next` of the previous page. */
  behind: z.string().max(60).optional(),
})
export type ListDeadlines = z.infer<typeof ListDeadlines>

export type DeadlinePage = {
  deadlines: NamedDeadline[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
  today: Day
  obligations: Obligation[]
  /** Of the obligation that was asked for, up to `MOST_DEADLINES_COUNTED`. */
  counts: Record<'open' | 'late' | 'week', number>
  /** How many open ones end on each day of the month that was asked for, or of this one. */
  calendar: { month: Month; days: ReadonlyMap<Day, number> }
}

/**
 * What the office must do: the earliest day first, or what was done, the latest day first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listDeadlines(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { size = PAGE, ...asked }: ListDeadlines & { size?: number },
): Promise<DeadlinePage> {
  const at = clock.now()
  const { office } = await authorizedOffice({ db }, actor, 'obligations.read', at)
  const today = dayOf(at, office.timeZone)
  const of = { officeId: office.id, obligationId: asked.obligationId }
  const found = await listRows(db, {
    ...{ ...of, ...listingOf(asked, today) },
    ...{ behind: cursorIn(asked.behind), limit: size + 1 },
  })
  const page = found.slice(0, size)
  const last = found.length > size ? page.at(-1) : undefined
  const month = asked.month ?? ((asked.day ?? today).slice(0, 7) as Month)
  const count = (show: DeadlineShow) => countDeadlines(db, { ...of, ...listingOf({ show }, today) })
  return {
    deadlines: await namedDeadlines(db, office, page),
    next: last && `${last.dueOn}.${last.id}`,
    today,
    obligations: await listObligations(db, office),
    counts: { open: await count('open'), late: await count('late'), week: await count('week') },
    calendar: { month, days: await countOpenByDay(db, { ...of, ...daysOf(month) }) },
  }
}

/** Deadlines that end within so many days are near. */
const NEAR_DAYS = 7

/**
 * Open deadlines that are late or end within seven days, the earliest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listNearDeadlines(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { limit }: { limit: number },
): Promise<{ deadlines: NamedDeadline[]; today: Day }> {
  const at = clock.now()
  const { office } = await authorizedOffice({ db }, actor, 'obligations.read', at)
  const today = dayOf(at, office.timeZone)
  const to = daysAfter(today, NEAR_DAYS - 1)
  const found = await listRows(db, { officeId: office.id, state: 'open', to, limit })
  return { deadlines: await namedDeadlines(db, office, found), today }
}

function listingOf(
  { show, month, day }: Pick<ListDeadlines, 'show' | 'month' | 'day'>,
  today: Day,
) {
  switch (show) {
    case 'late':
      return { state: 'open', to: daysAfter(today, -1) } as const
    case 'week':
      return { state: 'open', from: today, to: daysAfter(today, NEAR_DAYS - 1) } as const
    default:
      return { state: show, ...(day ? { from: day, to: day } : month && daysOf(month)) }
  }
}

const daysOf = (month: Month) => ({ from: Day.parse(`${month}-01`), to: lastDayOf(month) })

/** `2026-11-30.7f3c…`; undefined if it is none of ours. */
function cursorIn(text: string | undefined): DeadlineCursor | undefined {
  const [dueOn, id] = text?.split('.') ?? []
  return Cursor.safeParse({ dueOn, id }).data
}

const Cursor = z.object({ dueOn: Day, id: DeadlineId })
