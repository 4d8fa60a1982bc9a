import { expect, test } from 'vitest'
import { after, before, days, seconds } from '#server/domain/time.ts'
import { compareClock } from '#server/steps/alerts/compare-clock.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('clock beside that of an authority', (current) => {
  test('a difference of more than a minute is an alert a day, with the seconds', async () => {
    const system = current()
    const { id } = await storedOffice(system.db)
    const now = () => system.clock.now()
    for (const stated of [after(now(), seconds(60)), before(now(), seconds(60)), now()])
      await compareClock(system, id, stated)
    expect(await listAlertRows(system)).toEqual([])
    await compareClock(system, id, after(now(), seconds(61)))
    await compareClock(system, id, before(now(), seconds(200)))
    system.wait(days(1))
    await compareClock(system, id, before(now(), seconds(90)))
    const { machine } = system.settings
    const rows = await listAlertRows(system)
    expect(rows).toMatchObject(
      [61, 90].map(() => ({ office_id: id, user_id: null, kind: 'clock-wrong' })),
    )
    expect(rows.map(({ facts }) => JSON.parse(facts))).toEqual([
      { machine, against: 'authority', seconds: 61 },
      { machine, against: 'authority', seconds: 90 },
    ])
  })
})
