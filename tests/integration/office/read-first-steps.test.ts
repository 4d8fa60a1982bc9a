import { expect, test } from 'vitest'
import { firstStepsView } from '#app/routes/dashboard/first-steps-view.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { readFirstSteps } from '#server/features/offices/read-first-steps.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { moveSeries } from '#tests/support/office/numbered.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const mailer: Mailer = {
  send: async () => ({ kind: 'accepted' }),
  reach: async () => ({ kind: 'reached' }),
}

onEachSystem('first steps of an office', (current) => {
  test('a new office has none of them, and they are shown with where each is set', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const admin = asPerson(await storedUser(system.db, office, ['ADMIN']))
    await storedUser(system.db, office, ['CLERK'])
    await storedUser(system.db, office, ['CLERK'], { state: 'suspended' })
    await storedUser(system.db, await storedOffice(system.db, { number: 13 }), ['CLERK'])
    const trust = { ...system.trust, builtIn: [] }
    const steps = await readFirstSteps({ ...system, trust, mailer: null }, admin)
    expect(steps).toEqual({
      ...{ authorities: false, timestamps: false, constancias: false, mail: false },
      ...{ notary: false, numbers: false, backup: false, withoutFactor: 2 },
    })
    expect(firstStepsView(steps)?.map(({ to }) => to)).toEqual([
      '/dashboard/settings/authorities/new',
      '/dashboard/settings/providers/new',
      '/dashboard/settings/providers/new?kind=constancia',
      '/dashboard/settings/mail',
      '/dashboard/users/new',
      `/dashboard/settings/numbers/${INSTRUMENT_SERIES}`,
      '/dashboard/settings#respaldos',
      '/dashboard/settings/second-factor',
    ])
    expect(await readFirstSteps({ ...system, trust, mailer }, admin)).toMatchObject({ mail: true })
  })

  test('once everything is set, nothing is shown', () => {
    const set = {
      ...{ authorities: true, timestamps: true, constancias: true, mail: true },
      ...{ notary: true, numbers: true, backup: true },
    }
    expect(firstStepsView({ ...set, withoutFactor: 0 })).toBeUndefined()
    expect(firstStepsView({ ...set, withoutFactor: 1 })).toBeDefined()
  })

  test('the notary is there once invited, and not while suspended or of another office', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const admin = asPerson(await storedUser(system.db, office, ['ADMIN']))
    const other = await storedOffice(system.db, { number: 13 })
    await storedUser(system.db, other, ['NOTARY'])
    await storedUser(system.db, office, ['NOTARY'], { state: 'suspended' })
    expect(await readFirstSteps(system, admin)).toMatchObject({ notary: false })
    await storedUser(system.db, office, ['NOTARY'], { state: 'invited' })
    expect(await readFirstSteps(system, admin)).toMatchObject({ notary: true })
  })

  test('the numbers are set once the protocol has its next one, not the collations alone', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const admin = asPerson(await storedUser(system.db, office, ['ADMIN']))
    await moveSeries(system, admin, 12, { seriesId: COLLATION_SERIES })
    expect(await readFirstSteps(system, admin)).toMatchObject({ numbers: false })
    await moveSeries(system, admin, 4521)
    expect(await readFirstSteps(system, admin)).toMatchObject({ numbers: true })
  })

  test('are for administrators', async () => {
    const system = current()
    const clerk = asPerson(await storedUser(system.db, await storedOffice(system.db), ['CLERK']))
    await expect(readFirstSteps(system, clerk)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
