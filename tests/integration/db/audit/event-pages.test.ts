import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '#server/db/audit/audit-events.ts'
import {
  type EventFilter,
  type LogSource,
  listEvents,
  listEventsFrom,
} from '#server/db/audit/event-pages.ts'
import { actionsAbout } from '#server/domain/audit/topic.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, minutes } from '#server/domain/time.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { BUSY_DOCUMENT, fillLog } from '#tests/support/office/filled-log.ts'
import { viewOf } from '#tests/support/office/log-events.ts'

const EVENTS = 6_000

type Filters = Omit<EventFilter, 'view'>
const person = (user: User): Filters => ({ actorId: user.id })
const topic = (): Filters => ({ actions: actionsAbout('signing') })
const between = (): Filters => ({
  from: after(MORNING, minutes(10)),
  to: after(MORNING, minutes(80)),
})
const document = (): Filters => ({ subjectId: BUSY_DOCUMENT })

/** What a search finds: overlapping sources, of which one asks for some kinds of events. */
const among = (user: User): Filters => ({
  among: [
    { subjectId: BUSY_DOCUMENT, actions: actionsAbout('documents') },
    { actorId: user.id },
    { action: 'signing-session.viewed' },
    { action: 'session.started' },
  ],
})

const SINGLE = [person, topic, between, document, among]
/** Every combination: the bits of its index choose the filters. */
const FILTERS = Array.from({ length: 2 ** SINGLE.length }, (_, chosen) => (user: User): Filters => {
  const filters = SINGLE.filter((_, bit) => (chosen >> bit) % 2 === 1)
  return Object.assign({}, ...filters.map((filter) => filter(user)))
})

describe.each(['sqlite', 'postgres'] as const)('pages of the log (%s)', (dialect) => {
  let database: TestDatabase
  let user: User
  /** The whole log, in its order. */
  let log: RecordedEvent[]
  beforeAll(async () => {
    database = await emptyDatabase(dialect)
    const office = await storedOffice(database.db)
    user = await storedUser(database.db, office)
    const other = await storedUser(database.db, await storedOffice(database.db, { number: 13 }))
    await fillLog(database.db, [user, await storedUser(database.db, office), other], EVENTS)
    const all = { from: 0, end: EVENTS }
    const own = await forward({ view: viewOf(user.officeId) }, all)
    const others = await forward({ view: viewOf(other.officeId) }, all)
    log = [...new Map([...own, ...others].map((event) => [event.seq, event])).values()].toSorted(
      (a, b) => a.seq - b.seq,
    )
  })
  afterAll(() => database.end())

  const filtered = ({
    view: { officeId },
    subjectId,
    actorId,
    actions,
    from,
    to,
    among,
  }: EventFilter) =>
    log.filter(
      (event) =>
        (event.officeId === officeId || event.officeId === null) &&
        (!subjectId || ('id' in event.subject && event.subject.id === subjectId)) &&
        (!actorId || ('userId' in event.actor && event.actor.userId === actorId)) &&
        (!actions || actions.includes(event.action)) &&
        (from === undefined || event.at >= from) &&
        (to === undefined || event.at <= to) &&
        (!among || among.some((source) => isFrom(event, source))),
    )

  const isFrom = (event: RecordedEvent, source: LogSource) =>
    (!source.actions || source.actions.includes(event.action)) &&
    (!source.subjectId || ('id' in event.subject && event.subject.id === source.subjectId)) &&
    (!source.actorId || ('userId' in event.actor && event.actor.userId === source.actorId)) &&
    (!source.action || event.action === source.action)

  const newestFirst = (a: RecordedEvent, b: RecordedEvent) => b.at - a.at || b.seq - a.seq

  const seqsOf = (events: readonly RecordedEvent[]) => events.map(({ seq }) => seq)

  async function forward(filter: EventFilter, { from, end }: { from: number; end: number }) {
    const events: RecordedEvent[] = []
    for (let next: number | undefined = from; next !== undefined; ) {
      const page: Awaited<ReturnType<typeof listEventsFrom>> = await listEventsFrom(
        database.db,
        filter,
        { from: next, end },
      )
      events.push(...page.events)
      next = page.next
    }
    return events
  }

  async function backward(filter: EventFilter) {
    const events: RecordedEvent[] = []
    let before: number | undefined
    do {
      const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(database.db, {
        ...filter,
        before,
        limit: 50,
      })
      expect(page.events.length).toBeLessThanOrEqual(50)
      events.push(...page.events)
      before = page.next
    } while (before !== undefined)
    return events
  }

  test('log: has every event of both offices and of none', () => {
    expect(seqsOf(log)).toEqual(Array.from({ length: EVENTS }, (_, seq) => seq))
  })

  test('pages: list every event of each combination of filters once, the newest first', async () => {
    for (const filters of FILTERS) {
      const filter = { view: viewOf(user.officeId), ...filters(user) }
      const wanted = filtered(filter)
      expect(wanted.length, JSON.stringify(filter)).toBeGreaterThan(0)
      const sorted = wanted.toSorted(newestFirst)
      expect(seqsOf(await backward(filter)), JSON.stringify(filter)).toEqual(seqsOf(sorted))
    }
  })

  test('export: lists every event of each combination of filters once, in the order of the log', async () => {
    for (const filters of FILTERS) {
      const filter = { view: viewOf(user.officeId), ...filters(user) }
      const events = await forward(filter, { from: 100, end: EVENTS - 100 })
      const wanted = filtered(filter).filter(({ seq }) => seq >= 100 && seq < EVENTS - 100)
      expect(seqsOf(events), JSON.stringify(filter)).toEqual(seqsOf(wanted))
    }
  })

  test('page: begins with the newest event if the position before it is not in the log', async () => {
    const filter = { view: viewOf(user.officeId), limit: 5 }
    const newest = await listEvents(database.db, filter)
    expect(await listEvents(database.db, { ...filter, before: EVENTS + 5 })).toEqual(newest)
  })

  test('page about a busy subject: compares 1,000 of its events, then names the next page', async () => {
    // No event is about people.
    const filter = { ...document(), view: viewOf(user.officeId), actions: actionsAbout('people') }
    const page = await listEvents(database.db, { ...filter, limit: 50 })
    expect(page.events).toEqual([])
    const about = log
      .filter(({ subject }) => 'id' in subject && subject.id === BUSY_DOCUMENT)
      .toSorted(newestFirst)
    expect(page.next).toBe(about[999]?.seq)
  })

  test('page of no source: is empty', async () => {
    const nothing = { view: viewOf(user.officeId), among: [] }
    expect(await listEvents(database.db, { ...nothing, limit: 50 })).toEqual({
      events: [],
      next: undefined,
    })
    expect(await forward(nothing, { from: 0, end: EVENTS })).toEqual([])
  })
})
