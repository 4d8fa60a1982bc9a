import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import {
  after,
  type Duration,
  days,
  hours,
  type Instant,
  instantOf,
  minutes,
  seconds,
} from '#server/domain/time.ts'
import { type OfficeDay, officeDays, timeOn, workingTime } from './calendar.ts'
import { type Chance, createChance } from './chance.ts'
import { draftDocuments, type Gap } from './draft-documents.ts'
import { createFates } from './fates.ts'
import { planDocument, uuidFrom } from './plan-document.ts'
import { planSittings, type Sitting, tasksOf } from './sittings.ts'
import { LEFT } from './staff.ts'
import type { OfficeWork, Task, Year } from './work.ts'

/** With those that every demo has, the office has 300 documents. */
const DOCUMENTS = 293
/** Behind it stand the deed 4,521 and the missing 4,520 that every demo has. */
const NUMBERING = { lastInstrument: 4519, lastCollation: 214, gaps: 3 }
const NEXT_INSTRUMENT = 4521
const SIGNERS = [
  ...['notaria-titular', 'notario-suplente', 'notaria-adscrita'],
  ...['abogada', 'proyectista', 'abogada-corporativa'],
]
const SEED = 120_2026

/**
 * The year of an office, up to the last whole day before `end`: what happens, when, and which user does it. The same for the same `end`, so
 * that an interrupted start is continued.
 */
export function planYear(end: Instant): Year {
  const chance = createChance(SEED)
  const open = officeDays(end).filter(({ start }) => after(start, CLOSED) < end)
  const weeks = weeksOf(open)
  const [first, last] = [open[0], open.at(-1)]
  if (!first || !last) throw new Error('the office was never open')
  const leaves = timeOn(open[Math.floor(open.length * 0.62)] ?? last, hours(17), chance)
  const drafted = draftDocuments(DOCUMENTS, open, { numbering: NUMBERING, leaves, chance })
  const sittings = planSittings(SIGNERS, weeks, chance)
  const fateOf = createFates(end, chance)
  const scene = { sittings, openAt: openingsOf(open, chance), fateOf, end, chance }
  const ofDocuments = drafted.documents.flatMap((document) => planDocument(document, scene))
  const begin = after(first.start, hours(7))
  const yearEnd = after(last.start, CLOSED)
  const tasks = [
    ...ofDocuments,
    ...sittings.flatMap((sitting: Sitting) => tasksOf(sitting)),
    ...tasksOfOffice({ weeks, begin, last, leaves, chance, first: drafted.first }),
    ...drafted.gaps.flatMap((gap) => tasksOfGap(gap, chance)),
  ]
  const done = tasks.filter(({ at }) => at <= yearEnd).map((task) => withoutLeft(task, leaves))
  return { begin, tasks: inOrder(done), documents: drafted.documents }
}

/** Since midnight: nothing happens later. */
const CLOSED = hours(20)

function weeksOf(open: readonly OfficeDay[]): OfficeDay[][] {
  const weekOf = ({ start }: OfficeDay) => Math.floor((start - MONDAY) / days(7))
  return [...Map.groupBy(open, weekOf).values()]
}

/** 5 January 1970, in the zone of the office. */
const MONDAY = days(4) + hours(6)

/** Answers when the office next works. */
function openingsOf(open: readonly OfficeDay[], chance: Chance) {
  return (at: Instant): Instant | undefined => {
    const day = open.find(({ start }) => at < after(start, hours(18)))
    if (!day) return undefined
    const isWorking = at >= after(day.start, hours(9))
    return isWorking ? at : workingTime(day, chance)
  }
}

type OfOffice = {
  weeks: readonly (readonly OfficeDay[])[]
  begin: Instant
  last: OfficeDay
  leaves: Instant
  chance: Chance
  first: { instrument: number; collation: number }
}

function tasksOfOffice({ weeks, begin, last, leaves, chance, first }: OfOffice): Task[] {
  const task = (at: Instant, by: string, work: OfficeWork): Task => ({
    ...{ at, by, document: null, work },
  })
  const watching = weeks.flatMap(([day]) =>
    day
      ? [task(timeOn(day, (hours(7) + minutes(20)) as Duration, chance), '', { kind: 'watch' })]
      : [],
  )
  const invited = weeks.at(-1)?.[0] ?? last
  const closing = (wait: number) => after(last.start, (hours(19) + minutes(wait)) as Duration)
  return [
    ...watching,
    task(after(begin, minutes(5)), 'notaria-titular', { kind: 'start-numbers', ...first }),
    task(leaves, 'administrador', { kind: 'suspend', ...LEFT }),
    task(timeOn(invited, hours(12), chance), 'administrador', { kind: 'invite' }),
    task(closing(20), 'notaria-titular', { kind: 'skip-number', next: NEXT_INSTRUMENT }),
    task(closing(31), 'administrador', { kind: 'empty-outbox' }),
  ]
}

const NOTES = [
  'Compraventa de la familia Saldaña Olvera, firma el viernes',
  'Donación de un terreno en Tlalpan',
  'Poder que se firma en el hospital',
]

/** Set apart after the document before it, and given up days later. */
function tasksOfGap({ number, after: before }: Gap, chance: Chance): Task[] {
  const reason = 'NO PASÓ: los interesados no se presentaron a firmar'
  const reserve = {
    kind: 'reserve-number',
    once: uuidFrom(chance),
    note: chance.pick(NOTES),
  } as const
  const seriesId = INSTRUMENT_SERIES
  const explain = { kind: 'explain-number', seriesId, number, reason } as const
  return [
    { at: after(before, seconds(2)), by: 'auxiliar', document: null, work: reserve },
    { at: after(before, days(7)), by: 'abogada', document: null, work: explain },
  ]
}

/** After someone has left, a lawyer goes on with their documents. */
const withoutLeft = (task: Task, leaves: Instant): Task =>
  task.by === LEFT.slug && task.at > leaves ? { ...task, by: 'abogada' } : task

/** No two at one instant: the log tells by its last event what was done. */
function inOrder(tasks: readonly Task[]): Task[] {
  let last = 0
  return tasks
    .toSorted((one, other) => one.at - other.at)
    .map((task) => {
      last = Math.max(task.at, last + 1)
      return { ...task, at: instantOf(last) }
    })
}
