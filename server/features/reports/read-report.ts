import { z } from 'zod'
import { findOffice } from '#server/db/people/offices.ts'
import { listUserNames } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { Day, dayOf, endOfDay, startOfDay } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Counted, CountsOf, Period } from '#server/domain/reports/counted-report.ts'
import { dayTeller } from '#server/domain/reports/day-teller.ts'
import { monthTeller } from '#server/domain/reports/month.ts'
import { actionToRead, CountedKind } from '#server/domain/reports/report-kind.ts'
import { after, days } from '#server/domain/time.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { BEGINNING, type Counting, type Place, type Scope } from './counting.ts'
import { COUNTINGS } from './countings.ts'

export const ReadReport = z.object({
  kind: CountedKind,
  /** The first and the last day, in the office's time zone; if absent, see `periodOf`. */
  from: Day.optional(),
  to: Day.optional(),
})
export type ReadReport = z.infer<typeof ReadReport>

/** A page and a file at once count no more rows; a job counts all. */
export const MOST_ROWS_AT_ONCE = 100_000

type Form = {
  as: 'page' | 'file'
  most?: number
  /** Rows that are read at once. */
  step?: number
  /** The request: without its reader the counting ends. */
  signal?: AbortSignal
}

export type Report = {
  period: Period
  office: Office
  people: ReadonlyMap<UserId, string>
  /** Undefined if there is more than may be counted. */
  counted: Counted | undefined
}

/**
 * Counts the rows of a period. Each costs the same; other requests run in between.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readReport(
  { db, eventQueue, clock }: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  asked: ReadReport,
  { as, most = MOST_ROWS_AT_ONCE, step, signal }: Form,
): Promise<Report> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, actionToRead(asked.kind), own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const period = periodOf(asked, dayOf(at, office.timeZone))
  const scope = await scopeOf(db, office, period)
  const counted = await countUpTo(db, asked.kind, scope, { most, step, signal })
  await eventQueue.append({
    ...{ actor, at, action: as === 'page' ? 'report.read' : 'report.exported' },
    subject: { kind: 'office', id: officeId },
    details: { report: asked.kind, from: period.from, to: period.to },
  })
  return { period, office, people: scope.people, counted }
}

/** Without days: what ends in the next year, the accesses of the last thirty days, or this year so far. */
export function periodOf({ kind, from, to }: ReadReport, today: Day): Period {
  const usual = usualPeriods[kind]?.(today) ?? {
    ...{ from: Day.parse(`${today.slice(0, 4)}-01-01`), to: today },
  }
  return { from: from ?? usual.from, to: to ?? usual.to }
}

const usualPeriods: Partial<Record<CountedKind, (today: Day) => Period>> = {
  accesses: (today) => ({ from: dayAfter(today, -29), to: today }),
  certificates: (today) => ({ from: today, to: dayAfter(today, 365) }),
}

const dayAfter = (day: Day, count: number): Day =>
  dayOf(after(startOfDay(day, 'UTC'), days(count)), 'UTC')

export async function scopeOf(db: Reader, office: Office, { from, to }: Period): Promise<Scope> {
  const { id: officeId, timeZone } = office
  const names = await listUserNames(db, officeId)
  return {
    officeId,
    ...{ from: startOfDay(from, timeZone), to: endOfDay(to, timeZone) },
    ...{ monthOf: monthTeller(timeZone), dayOf: dayTeller(timeZone) },
    people: new Map(names.map((user) => [user.id, fullName(user)])),
  }
}

/** A count on its way: plain values. */
export type Progress<K extends CountedKind = CountedKind> = {
  counts: CountsOf[K]
  read: number
  /** Undefined at the end. */
  place: Place | undefined
}

/** Counts from where the progress stands, a stretch of rows at a time; other requests run in between. */
export async function* countOn<K extends CountedKind>(
  db: Reader,
  kind: K,
  scope: Scope,
  from: Progress<K> | undefined,
  step = STEP,
): AsyncGenerator<Progress<K>> {
  const counting: Counting<CountsOf[K]> = COUNTINGS[kind]
  const counts = from?.counts ?? counting.none()
  const letOthersRun = turnTaker()
  let read = from?.read ?? 0
  let place = from ? from.place : BEGINNING
  while (place) {
    const slice = await counting.step(db, scope, counts, { place, limit: step })
    read += slice.read
    place = slice.next
    yield { counts, read, place }
    await letOthersRun()
  }
}

const STEP = 1000

async function countUpTo<K extends CountedKind>(
  db: Reader,
  kind: K,
  scope: Scope,
  {
    most,
    step,
    signal,
  }: { most: number; step: number | undefined; signal: AbortSignal | undefined },
): Promise<Counted | undefined> {
  for await (const { counts, read, place } of countOn(db, kind, scope, undefined, step)) {
    signal?.throwIfAborted()
    if (read > most) return undefined
    if (!place) return { kind, counts } as Counted
  }
  return undefined
}
