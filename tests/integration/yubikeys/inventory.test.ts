import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listYubikeyChanges } from '#server/db/yubikeys/yubikey-changes.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { YubikeyId } from '#server/domain/ids.ts'
import { handOverYubikey } from '#server/features/yubikeys/hand-over-yubikey.ts'
import { listYubikeys } from '#server/features/yubikeys/list-yubikeys.ts'
import { readReceipt } from '#server/features/yubikeys/read-receipt.ts'
import { readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import { registerYubikey } from '#server/features/yubikeys/register-yubikey.ts'
import { retireYubikey } from '#server/features/yubikeys/retire-yubikey.ts'
import { takeBackYubikey } from '#server/features/yubikeys/take-back-yubikey.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import {
  assignedYubikey,
  currentYubikey,
  registeredYubikey,
  seen,
  typedKey,
} from '#tests/support/keys/yubikeys.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function aStaff({ db }: TestSystem) {
  const office = await storedOffice(db)
  const admin = await storedUser(db, office, ['ADMIN'])
  const clerk = await storedUser(db, office, ['CLERK'], {
    firstName: 'Íñigo',
    lastName: 'Peña Ruiz',
  })
  return { office, admin, clerk, administrator: asPerson(admin) }
}

const REASON = Reason.parse('Se rompió el conector.')

onEachSystem('inventory of keys', (current) => {
  test('registration: once for a form however often it is sent, with its event', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    const typed = { ...typedKey('12345678'), firmware: '5.4.3' }
    const both = await Promise.all([1, 2].map(() => registerYubikey(system, administrator, typed)))
    expect(both[0]).toEqual(both[1])
    const { yubikeys } = await listYubikeys(system, administrator)
    expect(yubikeys).toMatchObject([
      { serial: '12345678', firmware: '5.4.3', state: 'in-stock', holder: null, version: 1 },
    ])
    const events = (await system.log()).filter(({ action }) => action === 'yubikey.registered')
    expect(events).toMatchObject([
      { subject: { kind: 'yubikey' }, details: { name: 'YubiKey 5C NFC 12345678' } },
    ])
  })

  test('serial number: one key of an office has it; another office may have it too', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    await registeredYubikey(system, administrator, '77')
    await expect(registerYubikey(system, administrator, typedKey('77'))).rejects.toMatchObject({
      code: 'yubikey-known',
    })
    const other = await storedOffice(system.db, { number: 9 })
    const stranger = asPerson(await storedUser(system.db, other, ['ADMIN']))
    await registeredYubikey(system, stranger, '77')
  })

  test('serial number neither typed nor attested: asked for', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    expect(await registerYubikey(system, administrator, typedKey(null))).toEqual({
      kind: 'serial-missing',
    })
  })

  test('handover: from stock to a person, with a receipt that says who and when', async () => {
    const system = current()
    const { admin, clerk, administrator } = await aStaff(system)
    const yubikey = await registeredYubikey(system, administrator, '12345678')
    const version = await handOverYubikey(system, administrator, {
      ...seen(yubikey),
      holderId: clerk.id,
    })
    expect(await currentYubikey(system, yubikey.id)).toMatchObject({
      ...{ state: 'assigned', holderId: clerk.id, stateBy: admin.id, stateSince: MORNING },
    })
    const asked = { yubikeyId: yubikey.id, version }
    expect(await readReceipt(system, asPerson(clerk), asked)).toMatchObject({
      holder: { name: 'Íñigo Peña Ruiz' },
      yubikey: { serial: '12345678' },
      at: MORNING,
    })
    await expect(
      readReceipt(system, administrator, { yubikeyId: yubikey.id, version: 1 }),
    ).rejects.toMatchObject({ code: 'not-found' })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'yubikey.handed-over',
      details: { holder: clerk.id, holderName: 'Íñigo Peña Ruiz' },
    })
  })

  test('two administrators hand over one key at once: one of them does, the other hears that it changed', async () => {
    const system = current()
    const { office, clerk, administrator } = await aStaff(system)
    const other = asPerson(await storedUser(system.db, office, ['ADMIN']))
    const lawyer = await storedUser(system.db, office, ['LAWYER'])
    const yubikey = await registeredYubikey(system, administrator, '12345678')
    const outcomes = await Promise.allSettled([
      handOverYubikey(system, administrator, { ...seen(yubikey), holderId: clerk.id }),
      handOverYubikey(system, other, { ...seen(yubikey), holderId: lawyer.id }),
    ])
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toMatchObject([{ code: 'yubikey-changed' }])
    const changes = await listYubikeyChanges(system.db, yubikey.id, { limit: 9 })
    expect(changes.map(({ kind }) => kind)).toEqual(['handed-over', 'registered'])
  })

  test('a second click: hands over once, and says the same', async () => {
    const system = current()
    const { clerk, administrator } = await aStaff(system)
    const yubikey = await registeredYubikey(system, administrator, '12345678')
    const input = { ...seen(yubikey), holderId: clerk.id }
    const versions = await Promise.all(
      [1, 2].map(() => handOverYubikey(system, administrator, input)),
    )
    expect(versions).toEqual([2, 2])
    expect((await currentYubikey(system, yubikey.id)).version).toBe(2)
    const events = (await system.log()).filter(({ action }) => action === 'yubikey.handed-over')
    expect(events).toHaveLength(1)
  })

  test('handover refused: to a suspended person, to one of another office, of a key that is not in stock', async () => {
    const system = current()
    const { office, clerk, administrator } = await aStaff(system)
    const yubikey = await registeredYubikey(system, administrator, '12345678')
    const suspended = await storedUser(system.db, office, ['CLERK'], { state: 'suspended' })
    const elsewhere = await storedOffice(system.db, { number: 9 })
    const foreigner = await storedUser(system.db, elsewhere, ['CLERK'])
    const to = (holderId: typeof clerk.id) =>
      handOverYubikey(system, administrator, { ...seen(yubikey), holderId })
    await expect(to(suspended.id)).rejects.toMatchObject({ code: 'account-state' })
    await expect(to(foreigner.id)).rejects.toMatchObject({ code: 'not-found' })
    await to(clerk.id)
    const assigned = await currentYubikey(system, yubikey.id)
    await expect(
      handOverYubikey(system, administrator, { ...seen(assigned), holderId: administrator.userId }),
    ).rejects.toMatchObject({ code: 'yubikey-state' })
  })

  test('taken back and retired: its history says each step, and a retired key stays', async () => {
    const system = current()
    const { clerk, administrator } = await aStaff(system)
    const assigned = await assignedYubikey(system, administrator, clerk.id)
    expect(await takeBackYubikey(system, administrator, seen(assigned))).toBe('nothing')
    const back = await currentYubikey(system, assigned.id)
    expect(back).toMatchObject({ state: 'in-stock', holderId: null })
    await retireYubikey(system, administrator, { ...seen(back), reason: REASON })
    const retired = await currentYubikey(system, assigned.id)
    expect(retired.state).toBe('retired')
    const { changes } = await readYubikey(system, administrator, { yubikeyId: retired.id })
    expect(changes.map(({ kind, note }) => [kind, note])).toEqual([
      ['retired', 'Se rompió el conector.'],
      ['taken-back', null],
      ['handed-over', null],
      ['registered', null],
    ])
    for (const work of [
      () => handOverYubikey(system, administrator, { ...seen(retired), holderId: clerk.id }),
      () => takeBackYubikey(system, administrator, seen(retired)),
      () => retireYubikey(system, administrator, { ...seen(retired), reason: REASON }),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'yubikey-state' })
  })

  test('reach: a clerk sees the own keys alone; a key of another office does not exist', async () => {
    const system = current()
    const { clerk, administrator } = await aStaff(system)
    const own = await assignedYubikey(system, administrator, clerk.id)
    const other = await registeredYubikey(system, administrator, '99')
    const list = await listYubikeys(system, asPerson(clerk))
    expect(list.reach).toBe('own')
    expect(list.yubikeys.map(({ id }) => id)).toEqual([own.id])
    await readYubikey(system, asPerson(clerk), { yubikeyId: own.id })
    await expect(
      readYubikey(system, asPerson(clerk), { yubikeyId: other.id }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const elsewhere = await storedOffice(system.db, { number: 9 })
    const stranger = asPerson(await storedUser(system.db, elsewhere, ['ADMIN']))
    await expect(readYubikey(system, stranger, { yubikeyId: own.id })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(
      readYubikey(system, stranger, { yubikeyId: YubikeyId.parse(randomUUID()) }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('search: by first digits, by holder without accents, by state, page after page', async () => {
    const system = current()
    const { clerk, administrator } = await aStaff(system)
    await assignedYubikey(system, administrator, clerk.id, [], '20000001')
    for (let number = 0; number < 52; number += 1)
      await registeredYubikey(system, administrator, String(10_000_000 + number))
    const serials = async (asked: Parameters<typeof listYubikeys>[2]) =>
      (await listYubikeys(system, administrator, asked)).yubikeys.map(({ serial }) => serial)
    expect(await serials({ text: '2' })).toEqual(['20000001'])
    expect(await serials({ text: 'inigo pena' })).toEqual(['20000001'])
    expect(await serials({ text: 'pena', state: 'in-stock' })).toEqual([])
    expect(await serials({ text: 'nadie' })).toEqual([])
    expect(await serials({ state: 'assigned' })).toEqual(['20000001'])
    const first = await listYubikeys(system, administrator, { text: '1' })
    expect(first.yubikeys).toHaveLength(50)
    expect(await serials({ text: '1', behind: first.next })).toEqual(['10000050', '10000051'])
  })
})
