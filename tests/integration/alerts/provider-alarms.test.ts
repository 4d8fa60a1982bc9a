import { expect, test } from 'vitest'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { removeProvider } from '#server/features/offices/remove-provider.ts'
import type { TimestampOutcome } from '#server/ports/timestamp-authorities.ts'
import { endProviderOutage, noteProviderFailure } from '#server/steps/alerts/provider-alarms.ts'
import { requestTimestamp } from '#server/steps/signing/request-timestamp.ts'
import { storedConstanciaProvider } from '#tests/support/authorities/constancia-service.ts'
import { askingAt } from '#tests/support/authorities/timestamp-providers.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const alarms = async (system: TestSystem) =>
  (await listAlertRows(system)).map(({ facts, state, state_by }) => [
    JSON.parse(facts).provider,
    state,
    state_by,
  ])

onEachSystem('provider that is down', (current) => {
  /** Two providers of an office, and what lets one fail three times, or answer. */
  async function twoProviders() {
    const { db, clock, wait } = current()
    const office = await storedOffice(db)
    const { id: by } = await storedUser(db, office, ['ADMIN'])
    const first = await storedConstanciaProvider(db, office.id, 'https://one.example', {
      name: 'Uno',
    })
    const second = await storedConstanciaProvider(db, office.id, 'https://two.example', {
      ...{ name: 'Dos', position: 2 },
    })
    const fails = (provider: typeof first) =>
      db.transaction((trx) => noteProviderFailure(trx, provider, clock.now()))
    const ends = (provider: typeof first, seenBy: typeof by | null = null) =>
      db.transaction((trx) => endProviderOutage(trx, provider.id, { at: clock.now(), by: seenBy }))
    return { first, second, by, fails, ends, wait }
  }

  test('has one alert for an outage, after three failures, which is resolved for this provider alone', async () => {
    const { first, second, by, fails, ends, wait } = await twoProviders()
    for (let time = 1; time <= 5; time += 1) {
      expect(await alarms(current())).toHaveLength(time <= 3 ? 0 : 2)
      for (const provider of [first, second]) await fails(provider)
      wait(minutes(2))
    }
    expect((await alarms(current())).toSorted()).toEqual([
      ['Dos', 'open', null],
      ['Uno', 'open', null],
    ])
    await ends(first, by)
    expect((await alarms(current())).toSorted()).toEqual([
      ['Dos', 'open', null],
      ['Uno', 'resolved', by],
    ])
  })

  test('has no alert for a hundred failures in a minute, nor for three with an answer between', async () => {
    const { first, fails, ends, wait } = await twoProviders()
    for (let time = 0; time < 100; time += 1) {
      await fails(first)
      wait(seconds(1))
    }
    wait(minutes(2))
    await fails(first)
    await ends(first)
    wait(minutes(2))
    await fails(first)
    expect(await alarms(current())).toEqual([])
  })

  test('is told again when it is down after it answered, and not while an outage lasts', async () => {
    const { first, fails, ends, wait } = await twoProviders()
    const states = async () => (await alarms(current())).map(([, state]) => state).toSorted()
    for (const before of [0, 1, 2]) {
      const resolved = Array(before).fill('resolved')
      for (let time = 0; time < 6; time += 1) {
        await fails(first)
        wait(minutes(2))
      }
      expect(await states()).toEqual(['open', ...resolved])
      await ends(first)
      expect(await states()).toEqual(['resolved', ...resolved])
    }
  })
})

onEachSystem('timestamp authority that is down', (current) => {
  /** An office with two authorities, and what asks them while these are down. */
  async function asking() {
    const system = current()
    const office = await storedOffice(system.db)
    const admin = await storedUser(system.db, office, ['ADMIN'])
    await askingAt(system, { office }, ['https://one.example:1001', 'https://two.example:1002'])
    const providers = await listServiceProviders(system.db, office.id, 'timestamp')
    const ask = (...down: number[]) => {
      const failures = down.map((place) => ({
        ...{ id: providers[place]!.id, name: providers[place]!.name, reason: 'status 503' },
        isSilent: false,
      }))
      const answering = providers.find((_, place) => !down.includes(place))
      const outcome: TimestampOutcome = answering
        ? {
            ...{ kind: 'stamped', token: new Uint8Array(), time: system.clock.now(), failures },
            ...{ pathEnds: system.clock.now(), by: answering.name, byId: answering.id },
          }
        : { kind: 'unavailable', failures }
      const timestamps = { stamp: async () => outcome }
      return requestTimestamp({ ...system, timestamps }, office, new Uint8Array(32), {} as never)
    }
    const askThreeTimes = async (...down: number[]) => {
      for (let time = 0; time < 3; time += 1) {
        await ask(...down)
        system.wait(minutes(2))
      }
    }
    return { system, admin, providers, ask, askThreeTimes }
  }

  test('is told to the administrators after three failures, and resolved when it answers', async () => {
    const { system, ask, askThreeTimes } = await asking()
    await askThreeTimes(0, 1)
    const names = ['Sellos en 1001', 'Sellos en 1002']
    expect((await alarms(system)).toSorted()).toEqual(names.map((name) => [name, 'open', null]))
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'provider-down', user_id: null, severity: 'warning' },
      { kind: 'provider-down', user_id: null, severity: 'warning' },
    ])
    // The second one answers now, but the first does not.
    await ask(0)
    expect((await alarms(system)).toSorted()).toEqual([
      ['Sellos en 1001', 'open', null],
      ['Sellos en 1002', 'resolved', null],
    ])
    await ask()
    expect((await alarms(system)).map(([, state]) => state)).toEqual(['resolved', 'resolved'])
  })

  test('is told although another one answers', async () => {
    const { system, askThreeTimes } = await asking()
    await askThreeTimes(0)
    expect(await alarms(system)).toEqual([['Sellos en 1001', 'open', null]])
  })

  test('has no alert any more when it was removed', async () => {
    const { system, admin, providers, askThreeTimes } = await asking()
    await askThreeTimes(0)
    const actor = asPerson(admin, { provenAt: system.clock.now() })
    await removeProvider(system, actor, { providerId: providers[0]!.id })
    expect(await alarms(system)).toEqual([['Sellos en 1001', 'resolved', admin.id]])
  })
})
