import { expect, test } from 'vitest'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { after, hours, minutes, seconds } from '#server/domain/time.ts'
import { watchClock } from '#server/features/alerts/watch-clock.ts'
import { compareClock } from '#server/steps/alerts/compare-clock.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

onEachSystem('clock of the server', (current) => {
  test('alerts once a day if the log is later than the clock', async () => {
    const system = current()
    const person = asPerson(await storedUser(system.db, await storedOffice(system.db), ['ADMIN']))
    const happen = (ahead: number) =>
      system.db.transaction((trx) =>
        appendEvent(trx, {
          ...{ actor: person, at: after(system.clock.now(), seconds(ahead)) },
          ...{ action: 'audit.viewed', subject: { kind: 'nothing' } },
        }),
      )
    await watchClock(system)
    await happen(100)
    await watchClock(system)
    expect(await alerts(system)).toEqual([])
    await happen(600)
    await Promise.all([watchClock(system), watchClock(system)])
    system.wait(minutes(5))
    await watchClock(system)
    const [alert, ...others] = await alerts(system)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ kind: 'clock-wrong', severity: 'danger', user_id: null })
    const { machine } = system.settings
    expect(JSON.parse(alert!.facts)).toEqual({ machine, against: 'log', seconds: 600 })
    await watchClock({ ...system, settings: { ...system.settings, machine: 'another' } })
    expect(await alerts(system)).toHaveLength(2)
  })

  test('alerts once a day if an authority states another time', async () => {
    const system = current()
    const { id } = await storedOffice(system.db)
    const now = () => system.clock.now()
    await compareClock(system, id, after(now(), seconds(60)))
    expect(await alerts(system)).toEqual([])
    await compareClock(system, id, after(now(), minutes(-3)))
    await compareClock(system, id, after(now(), minutes(3)))
    expect(await alerts(system)).toHaveLength(1)
    system.wait(hours(24))
    await compareClock(system, id, after(now(), minutes(3)))
    expect(await alerts(system)).toHaveLength(2)
  })
})

const alerts = ({ db }: TestSystem) =>
  db.selectFrom('alerts').select(['kind', 'severity', 'user_id', 'facts']).execute()
