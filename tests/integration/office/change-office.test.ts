import { expect, test } from 'vitest'
import { findOffice } from '#server/db/people/offices.ts'
import { OfficeIdentity } from '#server/domain/identity/office.ts'
import { changeOffice } from '#server/features/offices/change-office.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('the data of an office', (current) => {
  const anOffice = async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const by = async (role: 'ADMIN' | 'NOTARY') => asPerson(await storedUser(db, office, [role]))
    const { number, entity, municipality, address, timeZone, name } = office
    return { office, by, said: { number, entity, municipality, address, timeZone, name } }
  }

  test('is changed by an administrator, and the log keeps the former value', async () => {
    const system = current()
    const { office, by, said } = await anOffice()
    const next = OfficeIdentity.parse({ ...said, number: '77', address: 'Av. Ñandú 14' })
    await changeOffice(system, await by('ADMIN'), next)
    await changeOffice(system, await by('ADMIN'), next)
    expect(await findOffice(system.db, office.id)).toEqual({ ...office, ...next })
    expect(await system.log()).toMatchObject([
      {
        action: 'office.changed',
        subject: { kind: 'office', id: office.id },
        details: {
          number: 77,
          numberBefore: office.number,
          address: 'Av. Ñandú 14',
          addressBefore: office.address,
        },
      },
    ])
  })

  test('is changed by no other role', async () => {
    const system = current()
    const { office, by, said } = await anOffice()
    const changing = changeOffice(system, await by('NOTARY'), { ...said, address: 'Otra' })
    await expect(changing).rejects.toMatchObject({ code: 'forbidden' })
    expect(await findOffice(system.db, office.id)).toEqual(office)
  })

  test('is not the number of another office in the same entity', async () => {
    const system = current()
    const { by, said } = await anOffice()
    const other = await storedOffice(system.db, { number: 77 })
    const [same, elsewhere] = [
      { ...said, number: 77 },
      { ...said, number: 77, entity: 'Puebla' },
    ]
    expect(other.entity).toBe(said.entity)
    const administrator = await by('ADMIN')
    await expect(changeOffice(system, administrator, same)).rejects.toMatchObject({
      code: 'office-taken',
    })
    await changeOffice(system, administrator, elsewhere)
  })
})
