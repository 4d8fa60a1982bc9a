import { expect, test } from 'vitest'
import { hours } from '#server/domain/time.ts'
import { watchDisk } from '#server/features/alerts/watch-disk.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const MEGABYTE = 1024 ** 2

onEachSystem('room on the disk', (current) => {
  let reserves = 0
  const watchWith = (megabytes: number, machine = 'rubrica-1') =>
    watchDisk({
      ...current(),
      settings: { ...current().settings, machine },
      disk: {
        space: async () => ({ free: megabytes * MEGABYTE, total: 1000 * MEGABYTE }),
        spendReserve: () => false,
        async keepReserve() {
          reserves += 1
        },
      },
    })
  const alerts = () =>
    current().db.selectFrom('alerts').select(['office_id', 'kind', 'severity', 'facts']).execute()

  test('each office is alerted once a day of each thing that is refused', async () => {
    const system = current()
    const offices = [await storedOffice(system.db), await storedOffice(system.db, { number: 13 })]
    await watchWith(99)
    await watchWith(98)
    const raised = await alerts()
    expect(raised.map(({ office_id }) => office_id).toSorted()).toEqual(
      offices.map(({ id }) => id).toSorted(),
    )
    expect(raised[0]).toMatchObject({ kind: 'disk-low', severity: 'warning' })
    expect(JSON.parse(String(raised[0]?.facts))).toEqual({
      ...{ machine: 'rubrica-1', refused: 'verification', megabytes: 99, percent: 9 },
    })

    await watchWith(49)
    expect((await alerts()).map(({ severity }) => severity).toSorted()).toEqual([
      ...['danger', 'danger', 'warning', 'warning'],
    ])
    system.wait(hours(25))
    await watchWith(9)
    expect(await alerts()).toHaveLength(6)
  })

  test('the disk of each machine has alerts of its own, which name the machine', async () => {
    await storedOffice(current().db)
    for (const machine of ['rubrica-1', 'rubrica-2', 'rubrica-2']) await watchWith(9, machine)
    const machines = (await alerts()).map(({ facts }) => JSON.parse(facts).machine)
    expect(machines.toSorted()).toEqual(['rubrica-1', 'rubrica-2'])
  })

  test('a disk with room alerts no office, and keeps some of it aside', async () => {
    await storedOffice(current().db)
    reserves = 0
    await watchWith(101)
    expect(await alerts()).toEqual([])
    expect(reserves).toBe(1)
  })
})
