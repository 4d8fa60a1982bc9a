import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Day } from '#server/domain/day.ts'
import { ObligationId } from '#server/domain/ids.ts'
import type { ObligationData } from '#server/domain/obligations/obligation.ts'
import { addObligation } from '#server/features/obligations/add-obligation.ts'
import {
  changeObligation,
  setObligationState,
} from '#server/features/obligations/change-obligation.ts'
import { listObligations, readObligation } from '#server/features/obligations/list-obligations.ts'
import {
  addNonWorkingDay,
  listNonWorkingDays,
  removeNonWorkingDay,
} from '#server/features/obligations/non-working-days.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const DATA: ObligationData = {
  ...{ name: 'Aviso de traslado de dominio', channel: 'Catastro municipal' },
  term: {
    ...{ basis: 'document', days: 10, counting: 'working', shift: 'stay' },
    ...{ kinds: [], acts: ['Compraventa'] },
  },
  ...{ source: 'Código municipal, artículo 5', sourceDay: '2026-11-01' as Day },
}

const CHANGED: ObligationData = { ...DATA, channel: null }

onEachSystem('catalogue of obligations', (system) => {
  test('a notary adds one, once for a form; its event has its facts', async () => {
    const { second, clerk } = await anOfficeWithStaff(system())
    const once = randomUUID()
    const id = await addObligation(system(), second.person, { data: DATA, once })
    expect(await addObligation(system(), second.person, { data: DATA, once })).toBe(id)
    expect(await readObligation(system(), clerk.person, { obligationId: id })).toMatchObject({
      ...DATA,
      state: 'active',
    })
    expect((await system().log()).filter(({ action }) => action === 'obligation.added')).toEqual([
      expect.objectContaining({
        details: expect.objectContaining({ name: DATA.name, days: 10, source: DATA.source }),
      }),
    ])
    const twin = addObligation(system(), second.person, {
      ...{ data: { ...DATA, name: 'AVISO DE TRASLADO DE DOMINIO' }, once: randomUUID() },
    })
    expect(await outcomeOf(twin)).toBe('obligation-known')
  })

  test('a clerk changes nothing', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const [any] = await listObligations(system(), clerk.person)
    const obligationId = any!.id
    const day = '2026-12-24' as Day
    for (const work of [
      () => addObligation(system(), clerk.person, { data: DATA, once: randomUUID() }),
      () => changeObligation(system(), clerk.person, { obligationId, data: DATA, seenAt: null }),
      () => setObligationState(system(), clerk.person, { obligationId, state: 'off' }),
      () => addNonWorkingDay(system(), clerk.person, { day, name: 'Vacaciones', source: null }),
      () => removeNonWorkingDay(system(), clerk.person, { day }),
    ])
      expect(await outcomeOf(work())).toBe('forbidden')
  })

  test('one that another user changed meanwhile, of another office, or of another basis is refused', async () => {
    const { second, admin } = await anOfficeWithStaff(system())
    const other = await aMember(system(), await storedOffice(system().db, { number: 13 }), [
      'ADMIN',
    ])
    const id = await addObligation(system(), second.person, { data: DATA, once: randomUUID() })
    const { at } = await readObligation(system(), second.person, { obligationId: id })
    const change = (by = admin.person, data: ObligationData = CHANGED, seenAt = at) =>
      outcomeOf(changeObligation(system(), by, { obligationId: id, data, seenAt }))
    expect(await change(admin.person, DATA, null)).toBe('done')
    expect(await change(admin.person, undefined, null)).toBe('stale-version')
    const monthly = { ...DATA, term: { basis: 'month', day: 1, shift: 'stay' } as const }
    expect(await change(admin.person, monthly)).toBe('bad-request')
    expect(await change(other.person)).toBe('not-found')
    const unknown = { obligationId: ObligationId.parse(randomUUID()) }
    expect(await outcomeOf(readObligation(system(), other.person, unknown))).toBe('not-found')
    expect(await change()).toBe('done')
  })

  test('one of the program without a term is not switched on before its term is noted', async () => {
    const { admin } = await anOfficeWithStaff(system())
    const all = await listObligations(system(), admin.person)
    const power = all.find(({ name }) => name === 'Aviso de poder')!
    const switchOn = () =>
      setObligationState(system(), admin.person, { obligationId: power.id, state: 'active' })
    expect(await outcomeOf(switchOn())).toBe('obligation-without-term')
    const data = { ...power, term: { ...power.term, days: 5 } } as ObligationData
    await changeObligation(system(), admin.person, { obligationId: power.id, data, seenAt: null })
    expect(await outcomeOf(switchOn())).toBe('done')
  })

  test('days of the office: once each, with their events, beside the federal ones', async () => {
    const { admin, clerk } = await anOfficeWithStaff(system())
    const day = '2026-12-24' as Day
    const add = () =>
      addNonWorkingDay(system(), admin.person, { day, name: 'Vacaciones', source: 'Circular 3' })
    await add()
    expect(await outcomeOf(add())).toBe('non-working-day-known')
    const { own, federal } = await listNonWorkingDays(system(), clerk.person)
    expect(own).toEqual([expect.objectContaining({ day, source: 'Circular 3' })])
    expect(federal.map((one) => one.day)).toContain('2027-02-01')
    await removeNonWorkingDay(system(), admin.person, { day })
    expect((await listNonWorkingDays(system(), clerk.person)).own).toEqual([])
    const actions = (await system().log()).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('non-'))).toEqual([
      ...['non-working-day.added', 'non-working-day.removed'],
    ])
  })
})
