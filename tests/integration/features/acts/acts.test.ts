import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Day } from '#server/domain/day.ts'
import { ActId } from '#server/domain/ids.ts'
import { ActData, MOST_ACTS } from '#server/domain/signing/act/act.ts'
import { defaultActs } from '#server/domain/signing/act/default-acts.ts'
import { minutes } from '#server/domain/time.ts'
import { addAct } from '#server/features/acts/add-act.ts'
import { changeAct } from '#server/features/acts/change-act.ts'
import { listActs } from '#server/features/acts/list-acts.ts'
import { readAct } from '#server/features/acts/read-act.ts'
import { setActState } from '#server/features/acts/set-act-state.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const actOf = (name: string, changes: object = {}) =>
  ActData.parse({
    ...{ name, roles: [{ character: 'Parte vendedora', least: 1, most: 2 }], notary: 'signs' },
    electronic: null,
    ...changes,
  })
const YES = {
  electronic: {
    ...{ answer: 'yes', entity: 'Ciudad de México', source: 'Ley del Notariado, art. 100 Bis' },
    day: Day.parse('2026-11-20'),
  },
}

onEachSystem('acts', (system) => {
  const names = async (by: Parameters<typeof listActs>[1]) =>
    (await listActs(system(), by)).map(({ name }) => name)

  test('acts: an office starts with those of the program and adds its own, once a form', async () => {
    const { admin, clerk } = await anOfficeWithStaff(system())
    const before = await names(clerk.person)
    expect(before).toContain('Compraventa')
    expect(before).toEqual(before.toSorted((a, b) => a.localeCompare(b, 'es-MX')))

    const once = randomUUID()
    const add = () => addAct(system(), admin.person, { data: actOf('Permuta', YES), once })
    const [first, second] = await Promise.all([add(), add()])
    expect(second).toBe(first)
    expect(await names(clerk.person)).toHaveLength(before.length + 1)
    expect(await readAct(system(), clerk.person, { actId: first })).toMatchObject({
      ...{ name: 'Permuta', state: 'active', by: admin.user.id, ...YES },
    })
    const events = (await system().log()).filter(({ action }) => action === 'act.added')
    expect(events.map(({ subject, details }) => [subject, details])).toEqual([
      [
        { kind: 'act', id: first },
        {
          ...{ name: 'Permuta', roles: 'Parte vendedora 1-2', notary: 'signs', electronic: 'yes' },
          ...{ entity: 'Ciudad de México', source: YES.electronic.source, day: '2026-11-20' },
        },
      ],
    ])
  })

  test('acts: no two with one name, whatever its accents, even if two administrators add them at once', async () => {
    const { admin, second } = await anOfficeWithStaff(system())
    const add = (by: typeof admin, name: string) =>
      outcomeOf(addAct(system(), by.person, { data: actOf(name), once: randomUUID() }))
    expect(await add(admin, 'DONACION')).toBe('act-known')
    const outcomes = await Promise.all([add(admin, 'Permuta'), add(second, 'permuta')])
    expect(outcomes.toSorted()).toEqual(['act-known', 'done'])
  })

  test('acts: as many as a list can show', async () => {
    const { admin } = await anOfficeWithStaff(system())
    const count = (await names(admin.person)).length
    for (let index = count; index < MOST_ACTS; index += 1)
      await addAct(system(), admin.person, { data: actOf(`Acto ${index}`), once: randomUUID() })
    const another = addAct(system(), admin.person, { data: actOf('Permuta'), once: randomUUID() })
    await expect(another).rejects.toMatchObject({ code: 'too-many-acts' })
  })

  test('act of the program: changed for this office only, and not over a change that was not seen', async () => {
    const { admin, office } = await anOfficeWithStaff(system())
    const elsewhere = await aMember(system(), await storedOffice(system().db, { number: 13 }))
    const [act] = defaultActs(office.id)
    if (!act) throw new Error('no acts')
    const change = (seenAt: typeof act.at, name: string) =>
      changeAct(system(), admin.person, { actId: act.id, seenAt, data: actOf(name, YES) })
    await change(null, 'Compraventa al contado')
    const changed = await readAct(system(), admin.person, { actId: act.id })
    expect(changed).toMatchObject({ name: 'Compraventa al contado', by: admin.user.id, ...YES })
    expect(await names(elsewhere.person)).toContain('Compraventa')
    expect(await names(admin.person)).not.toContain('Compraventa')
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'act.changed',
      details: { changed: 'name, roles, electronic', electronic: 'yes' },
    })

    const length = (await system().log()).length
    await change(null, 'Compraventa al contado')
    expect(await system().log()).toHaveLength(length)
    expect(await outcomeOf(change(null, 'Otra cosa'))).toBe('stale-version')
    expect(await outcomeOf(change(changed.at, 'poder'))).toBe('act-known')
    system().wait(minutes(1))
    expect(await outcomeOf(change(changed.at, 'Otra cosa'))).toBe('done')
  })

  test('act: retired and used again, each once', async () => {
    const { admin, office } = await anOfficeWithStaff(system())
    const [act] = defaultActs(office.id)
    if (!act) throw new Error('no acts')
    const set = (state: 'active' | 'retired') =>
      setActState(system(), admin.person, { actId: act.id, state })
    for (const state of ['retired', 'retired', 'active', 'active'] as const) await set(state)
    const log = (await system().log()).map(({ action }) => action)
    expect(log.filter((action) => action.startsWith('act.'))).toEqual([
      'act.retired',
      'act.restored',
    ])
    expect(await readAct(system(), admin.person, { actId: act.id })).toMatchObject({
      ...{ name: act.name, roles: act.roles, state: 'active' },
    })
  })

  test('acts: managed by administrators of the office after a fresh proof', async () => {
    const { admin, clerk, office } = await anOfficeWithStaff(system())
    const [act] = defaultActs(office.id)
    if (!act) throw new Error('no acts')
    const [actId, data] = [act.id, actOf('Permuta')]
    const works = (by: typeof clerk.person) => [
      () => addAct(system(), by, { data, once: randomUUID() }),
      () => changeAct(system(), by, { actId, seenAt: null, data }),
      () => setActState(system(), by, { actId, state: 'retired' }),
    ]
    for (const work of works(clerk.person)) expect(await outcomeOf(work())).toBe('forbidden')
    const unknown = ActId.parse(randomUUID())
    expect(await outcomeOf(readAct(system(), admin.person, { actId: unknown }))).toBe('not-found')
    expect(
      await outcomeOf(changeAct(system(), admin.person, { actId: unknown, seenAt: null, data })),
    ).toBe('not-found')
    expect(
      await outcomeOf(setActState(system(), admin.person, { actId: unknown, state: 'retired' })),
    ).toBe('not-found')
    system().wait(minutes(11))
    for (const work of works(admin.person)) expect(await outcomeOf(work())).toBe('step-up-needed')
  })

  test('act: of another office is unknown', async () => {
    const { admin } = await anOfficeWithStaff(system())
    const actId = await addAct(system(), admin.person, {
      data: actOf('Permuta'),
      once: randomUUID(),
    })
    const other = await storedOffice(system().db, { number: 13 })
    const elsewhere = await aMember(system(), other, ['ADMIN'])
    expect(await outcomeOf(readAct(system(), elsewhere.person, { actId }))).toBe('not-found')
    expect(
      await outcomeOf(setActState(system(), elsewhere.person, { actId, state: 'retired' })),
    ).toBe('not-found')
  })
})
