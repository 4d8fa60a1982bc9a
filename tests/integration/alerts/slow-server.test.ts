import { expect, test } from 'vitest'
import { hours, seconds } from '#server/domain/time.ts'
import { reportSlowServer } from '#server/features/alerts/report-slow-server.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('slow server', (current) => {
  const slowFor = (...longest: number[]) => slowOn('rubrica-1', longest)
  const slowOn = async (machine: string, longest: readonly number[]) => {
    const minutes = () => longest.map(seconds)
    const settings = { ...current().settings, machine }
    await reportSlowServer({ ...current(), settings, loopDelay: { minutes } })
  }
  const alerts = () =>
    current().db.selectFrom('alerts').select(['office_id', 'kind', 'facts']).execute()

  test('five slow minutes alert each office, once a day', async () => {
    const system = current()
    const offices = [await storedOffice(system.db), await storedOffice(system.db, { number: 13 })]
    await slowFor(1, 2, 3, 2, 1.5)
    await slowFor(1, 2, 3, 2, 1.5)
    const raised = await alerts()
    expect(raised.map(({ office_id }) => office_id).toSorted()).toEqual(
      offices.map(({ id }) => id).toSorted(),
    )
    expect(raised.map(({ kind }) => kind)).toEqual(['server-slow', 'server-slow'])
    expect(JSON.parse(String(raised[0]?.facts))).toEqual({
      ...{ machine: 'rubrica-1', seconds: 3 },
    })

    system.wait(hours(25))
    await slowFor(1, 2, 3, 2, 1.5)
    expect(await alerts()).toHaveLength(4)
  })

  test('each slow machine has an alert of its own, which names it', async () => {
    await storedOffice(current().db)
    for (const machine of ['rubrica-1', 'rubrica-2', 'rubrica-2'])
      await slowOn(machine, [9, 9, 9, 9, 9])
    const machines = (await alerts()).map(({ facts }) => JSON.parse(facts).machine)
    expect(machines.toSorted()).toEqual(['rubrica-1', 'rubrica-2'])
  })

  test.each([[[9, 9, 9, 9]], [[9, 9, 0.9, 9, 9]]])('%s alerts no office', async (longest) => {
    await storedOffice(current().db)
    await slowFor(...longest)
    expect(await alerts()).toEqual([])
  })
})
