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

/** The least wall time of several runs in milliseconds: the work of PostgreSQL is not in our processor time. */
async function quickest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 30; run += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

const FIRST_DAY = Day.parse('2026-11-20')

const FILTERS = ({ id: by }: User): Record<string, ListRecentEvents> => ({
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
  'second page': { before: 500 },
})

async function fill({ db }: TestSystem, user: User, count: number): Promise<void> {
  await fillLog(db, [user], count)
  // A running server has statistics from its last vacuum.
  if (db.dialect === 'postgres') await db.transaction((trx) => sql`analyze`.execute(trx))
}

const timesOf = async (system: TestSystem, user: User) => {
  const times: Record<string, number> = {}
  for (const [name, filter] of Object.entries(FILTERS(user)))
    times[name] = await quickest(() => listRecentEvents(system, asPerson(user), filter))
  return times
}

onEachSystem('page of the log', (current) => {
  test('takes as long at 100,000 events as at 1,000', { timeout: 240_000 }, async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const user = await storedUser(system.db, office, ['AUDITOR'])
    await fill(system, user, FEW)
    const few = await timesOf(system, user)
    await fill(system, user, MANY - FEW)
    const many = await timesOf(system, user)
    for (const [name, time] of Object.entries(many))
      expect(time / (few[name] ?? 0), `${name}: ${time} ms`).toBeLessThan(3)
  })
})
