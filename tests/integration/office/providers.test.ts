import { expect, test } from 'vitest'
import { findOffice } from '#server/db/people/offices.ts'
import { listKeyVersions } from '#server/db/sealed-rows.ts'
import { findServiceProvider, listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { ServiceProviderId } from '#server/domain/ids.ts'
import { minutes } from '#server/domain/time.ts'
import { placeOfProviderPassword } from '#server/domain/timestamp/service-provider.ts'
import { resealSecrets } from '#server/features/mfa/reseal-secrets.ts'
import { AddProvider, addProvider } from '#server/features/offices/add-provider.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { listProviders } from '#server/features/offices/list-providers.ts'
import { moveProvider } from '#server/features/offices/move-provider.ts'
import { removeProvider } from '#server/features/offices/remove-provider.ts'
import { storedOffice } from '#tests/support/builders.ts'
import {
  aMember,
  anOfficeWithStaff,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const aProvider = (changes: Partial<AddProvider> = {}): AddProvider => ({
  kind: 'timestamp',
  name: 'Sellos del Sureste',
  url: 'https://sellos.example/tsa',
  login: null,
  policy: null,
  ...changes,
})

const LOGIN = { username: 'notaria-12', password: 'clave del proveedor' }

const numbered = (number: number) => aProvider({ url: `https://sellos-${number}.example/` })

async function withThree(system: TestSystem) {
  const staff = await anOfficeWithStaff(system)
  const ids: ServiceProviderId[] = []
  for (const number of [1, 2, 3])
    ids.push(await addProvider(system, staff.admin.person, numbered(number)))
  const order = async () =>
    (await listServiceProviders(system.db, staff.office.id)).map(({ id }) => ids.indexOf(id) + 1)
  return { ...staff, ids, order }
}

onEachSystem('providers of timestamps and constancias', (current) => {
  test('provider: its password is sealed for its row and never shown', async () => {
    const system = current()
    const { office, admin, clerk } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    const policy = '1.3.6.1.4.1.99999.1'
    const id = await addProvider(system, admin.person, aProvider({ login: LOGIN, policy }))
    const stored = await findServiceProvider(system.db, id)
    expect(stored).toMatchObject({ username: LOGIN.username, policy, position: 1, state: 'active' })
    const { sealed, url } = stored as NonNullable<typeof stored>
    const open = (place: string) => new TextDecoder().decode(system.vault.open(sealed!, place))
    expect(open(placeOfProviderPassword({ id, url }))).toBe(LOGIN.password)
    expect(() => open(placeOfProviderPassword({ id, url: 'https://otra.example/' }))).toThrow(
      'does not open',
    )

    const listed = await listProviders(system, clerk.person)
    expect(listed).toMatchObject([{ id, officeId: office.id, hasPassword: true }])
    expect(JSON.stringify([listed, await system.log()])).not.toContain(LOGIN.password)
    expect(await recorded()).toEqual(['provider.added success'])
  })

  test('the order is the order of asking, and each kind has its own', async () => {
    const system = current()
    const { admin, ids, order } = await withThree(system)
    const constancia = aProvider({ kind: 'constancia', url: 'https://psc.example/' })
    await addProvider(system, admin.person, constancia)
    const [, second, third] = ids as [ServiceProviderId, ServiceProviderId, ServiceProviderId]
    expect(await order()).toEqual([1, 2, 3, 0])
    await moveProvider(system, admin.person, { providerId: third, direction: 'earlier' })
    expect(await order()).toEqual([1, 3, 2, 0])
    await moveProvider(system, admin.person, { providerId: second, direction: 'later' })
    expect(await order()).toEqual([1, 3, 2, 0])
    await removeProvider(system, admin.person, { providerId: third })
    expect(await order()).toEqual([1, 2, 0])
    expect(await findServiceProvider(system.db, third)).toMatchObject({ state: 'removed' })
    expect(
      await outcomeOf(
        moveProvider(system, admin.person, { providerId: third, direction: 'earlier' }),
      ),
    ).toBe('not-found')
  })

  test('provider: removing it deletes its password', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const id = await addProvider(system, admin.person, aProvider({ login: LOGIN }))
    await removeProvider(system, admin.person, { providerId: id })
    expect(await findServiceProvider(system.db, id)).toMatchObject({ username: null, sealed: null })
    expect(await listProviders(system, admin.person)).toEqual([])
  })

  test('provider password: never sent in the clear, and no provider is asked twice', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const add = (changes: Partial<AddProvider>) =>
      outcomeOf(addProvider(system, admin.person, aProvider(changes)))
    expect(await add({ url: 'http://localhost:3000/', login: LOGIN })).toBe('done')
    expect(await add({ url: 'https://sellos.example/' })).toBe('done')
    expect(await add({ url: 'https://sellos.example/' })).toBe('provider-refused')
    for (const host of [
      '10.0.0.5',
      '[fd00::5]',
      '169.254.169.254',
      '[::ffff:192.168.0.1]',
      '0xa000005',
    ])
      expect([host, await add({ url: `https://${host}/` })]).toEqual([host, 'provider-network'])
    for (const url of [
      'http://sellos.example/',
      'ftp://a.example/',
      'https://a:b@c.example/',
      'https://a.example/#b',
      'a',
    ])
      expect([url, AddProvider.safeParse(aProvider({ url })).success]).toEqual([url, false])
  })

  test('only an administrator decides, of the own office, with a fresh proof', async () => {
    const system = current()
    const { admin, clerk, ids } = await withThree(system)
    const stranger = await anOfficeWithStaffOfNumber(system, 13)
    const providerId = ids[0] as ServiceProviderId
    expect(await outcomeOf(addProvider(system, clerk.person, aProvider()))).toBe('forbidden')
    expect(await outcomeOf(removeProvider(system, clerk.person, { providerId }))).toBe('forbidden')
    expect(await outcomeOf(removeProvider(system, stranger, { providerId }))).toBe('not-found')
    system.wait(minutes(11))
    const late = removeProvider(system, admin.person, { providerId })
    expect(await outcomeOf(late)).toBe('step-up-needed')
  })

  test('the policy about signatures without a timestamp is a decision of the office', async () => {
    const system = current()
    const { office, admin, clerk } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    await changePolicies(system, admin.person, { decided: { timestampPolicy: 'required' } })
    await changePolicies(system, admin.person, { decided: { timestampPolicy: 'required' } })
    expect(await findOffice(system.db, office.id)).toMatchObject({ timestampPolicy: 'required' })
    expect(await recorded()).toEqual(['office.policies-changed success'])
    const refused = changePolicies(system, clerk.person, { decided: { timestampPolicy: 'none' } })
    expect(await outcomeOf(refused)).toBe('forbidden')
  })

  test('its password is sealed anew with a new key', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const id = await addProvider(system, admin.person, aProvider({ login: LOGIN }))
    await addProvider(system, admin.person, numbered(2))
    system.sealingKeys.add()
    expect(await resealSecrets(system)).toEqual({ resealed: 1, unreadable: [] })
    expect(await listKeyVersions(system.db)).toEqual(new Set([2]))
    const stored = await findServiceProvider(system.db, id)
    const place = placeOfProviderPassword(stored!)
    expect(new TextDecoder().decode(system.vault.open(stored!.sealed!, place))).toBe(LOGIN.password)
  })
})

async function anOfficeWithStaffOfNumber(system: TestSystem, number: number) {
  const office = await storedOffice(system.db, { number })
  return (await aMember(system, office, ['ADMIN'])).person
}
