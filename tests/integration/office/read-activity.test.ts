import { expect, test } from 'vitest'
import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { before, days, type Instant } from '#server/domain/time.ts'
import { readActivity } from '#server/features/reports/read-activity.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

onEachSystem('activity of the office', (current) => {
  test('counts what happened in 30 days and in each of twelve weeks, in the own office alone', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const other = await aClerk(system, 13)
    const ago = (count: number) => before(system.clock.now(), days(count))
    for (const at of [ago(0), ago(6), ago(7), ago(29), ago(30), ago(83), ago(84)])
      await happen(system, clerk, 'document.uploaded', at)
    await happen(system, clerk, 'document.signed', ago(1))
    await happen(system, clerk, 'document.viewed', ago(1))
    await happen(system, other, 'document.uploaded', ago(1))
    expect(await readActivity(system, clerk)).toEqual([
      { figure: 'uploaded', count: 4, weeks: [1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 2] },
      { figure: 'signed', count: 1, weeks: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
      { figure: 'completed', count: 0, weeks: Array(12).fill(0) },
      { figure: 'verified', count: 0, weeks: Array(12).fill(0) },
    ])
  })

  test('counts each of several events at once', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const at = system.clock.now()
    await Promise.all(
      Array.from({ length: 20 }, () => happen(system, clerk, 'document.uploaded', at)),
    )
    expect(await readActivity(system, clerk)).toMatchObject([{ count: 20 }, {}, {}, {}])
  })

  test('does not count what was refused, nor what was rolled back', async () => {
    const system = current()
    const clerk = await aClerk(system)
    const at = system.clock.now()
    await happen(system, clerk, 'document.uploaded', at, 'refused')
    const lost = system.db.transaction(async (trx) => {
      await appendEvent(trx, anEvent(clerk, 'document.uploaded', at))
      throw new Error('the disk is full')
    })
    await expect(lost).rejects.toThrow('the disk is full')
    expect(await readActivity(system, clerk)).toMatchObject([{ count: 0 }, {}, {}, {}])
  })
})

async function aClerk({ db }: TestSystem, number = 12): Promise<Person> {
  return asPerson(await storedUser(db, await storedOffice(db, { number }), ['CLERK']))
}

const anEvent = (actor: Person, action: NewEvent['action'], at: Instant): NewEvent => ({
  ...{ actor, at, action },
  subject: { kind: 'nothing' },
})

const happen = (
  { db }: TestSystem,
  actor: Person,
  action: NewEvent['action'],
  at: Instant,
  result: 'success' | 'refused' = 'success',
) => db.transaction((trx) => appendEvent(trx, { ...anEvent(actor, action, at), result }))
