import { expect, test } from 'vitest'
import { raiseProviderAlarm, resolveProviderAlarms } from '#server/steps/alerts/provider-alarms.ts'
import { storedConstanciaProvider } from '#tests/support/authorities/constancia-service.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('provider that is down', (current) => {
  test('has one alert for an outage, which is resolved for this provider alone', async () => {
    const { db, clock } = current()
    const office = await storedOffice(db)
    const { id: by } = await storedUser(db, office, ['ADMIN'])
    const [first, second] = [
      await storedConstanciaProvider(db, office.id, 'https://one.example', { name: 'Uno' }),
      await storedConstanciaProvider(db, office.id, 'https://two.example', {
        ...{ name: 'Dos', position: 2 },
      }),
    ]
    const outage = { officeId: office.id, attempts: 3, at: clock.now() }
    await db.transaction(async (trx) => {
      for (const provider of [first, second, first]) await raiseProviderAlarm(trx, provider, outage)
    })
    const states = async () =>
      (await listAlertRows(current())).map(({ facts, state, state_by }) => {
        return [JSON.parse(facts).provider, state, state_by]
      })
    expect((await states()).toSorted()).toEqual([
      ['Dos', 'open', null],
      ['Uno', 'open', null],
    ])
    await db.transaction((trx) => resolveProviderAlarms(trx, first.id, { at: clock.now(), by }))
    expect((await states()).toSorted()).toEqual([
      ['Dos', 'open', null],
      ['Uno', 'resolved', by],
    ])
  })
})
