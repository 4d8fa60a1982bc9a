import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Day } from '#server/domain/day.ts'
import type { User } from '#server/domain/identity/user.ts'
import {
  type ListRecentEvents,
  listRecentEvents,
} from '#server/features/audit/list-recent-events.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { BUSY_DOCUMENT, fillLog } from '#tests/support/office/filled-log.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const FEW = 1_000
const MANY = 100_000

/**
 * The least wall time of several runs in milliseconds: the work of PostgreSQL is not in our processor time. Runs are
 * spread over two seconds if need be, so that another program on the same processor is not what we measure.
 *
 * @param enough ends the runs early
 */
async function quickest(work: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round += 1) {
    for (let run = 0; run < 30; run += 1) {
      const start = performance.now()
      await work()
      least = Math.min(least, performance.now() - start)
    }
    if (least <= enough) break
    await setTimeout(100)
  }
  return least
}

const FIRST_DAY = Day.parse('2026-11-20')

const FILTERS = ({ id: by, lastName }: User): Record<string, ListRecentEvents> => ({
  none: {},
  topic: { about: 'documents' },
  person: { by },
  day: { from: FIRST_DAY, to: FIRST_DAY },
  'person and topic': { by, about: 'documents' },
  'person, topic and day': { by, about: 'documents', from: FIRST_DAY, to: FIRST_DAY },
  document: { subjectId: BUSY_DOCUMENT },
  'topic without events': { about: 'people' },
  'person and topic without events': { by, about: 'people' },
  'document and topic without events': { subjectId: BUSY_DOCUMENT, about: 'people' },
  'search of a person': { text: lastName },
  'search of a kind of event': { text: 'documento descargado' },
  'search of nothing': { text: 'xochitlalpan' },
  'second page': { before: 500 },
})

async function fill({ db }: TestSystem, user: User, count: number): Promise<void> {
  await fillLog(db, [user], count)
  // A running server has statistics from its last vacuum.
  if (db.dialect === 'postgres') await db.transaction((trx) => sql`analyze`.execute(trx))
}

type Times = Record<string, number>

async function timesOf(system: TestSystem, user: User, enough: Times = {}): Promise<Times> {
  const times: Times = {}
  for (const [name, filter] of Object.entries(FILTERS(user))) {
    const list = () => listRecentEvents(system, asPerson(user), filter)
    times[name] = await quickest(list, enough[name] ?? Number.POSITIVE_INFINITY)
  }
  return times
}

const MOST_TIMES = 3

onEachSystem('page of the log', (current) => {
  test('takes as long at 100,000 events as at 1,000', { timeout: 240_000 }, async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const user = await storedUser(system.db, office, ['AUDITOR'])
    await fill(system, user, FEW)
    const few = await timesOf(system, user)
    await fill(system, user, MANY - FEW)
    const limits = Object.entries(few).map(([name, time]) => [name, MOST_TIMES * time])
    const many = await timesOf(system, user, Object.fromEntries(limits))
    for (const [name, time] of Object.entries(many))
      expect(time / (few[name] ?? 0), `${name}: ${time} ms`).toBeLessThan(MOST_TIMES)
  })
})
