import { describe, expect, test } from 'vitest'
import { findOpenActivation, insertActivation } from '#server/db/people/activations.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { listUsers, replaceUserState } from '#server/db/people/users.ts'
import type { Activation } from '#server/domain/identity/activation.ts'
import { ActivationCode, groupedActivationCode } from '#server/domain/identity/activation-code.ts'
import { Email } from '#server/domain/identity/email.ts'
import type { User } from '#server/domain/identity/user.ts'
import { hours } from '#server/domain/time.ts'
import { ActivateAccount, activateAccount } from '#server/features/auth/activate-account.ts'
import {
  ActivateInstallation,
  activateInstallation,
} from '#server/features/auth/activate-installation.ts'
import { findLinkPurpose } from '#server/features/auth/find-link-purpose.ts'
import { isInstalled, offerInstallation } from '#server/features/auth/offer-installation.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { MORNING, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'ñandú lámpara treinta ríos'
const OTHER = 'otoño cobre ventana lejos'
const spent = expect.objectContaining({ code: 'link-spent' })

async function anInvited(system: TestSystem, changes: Record<string, unknown> = {}) {
  const office = await storedOffice(system.db)
  const email = 'ximena@notaria.example'
  const facts = { email, state: 'invited', ...changes }
  return { office, user: await storedUser(system.db, office, ['CLERK'], facts) }
}

const aCode = async (
  system: TestSystem,
  user: User,
  purpose: Activation['purpose'] = 'activation',
) =>
  (
    await system.db.transaction((trx) =>
      insertActivation(trx, { userId: user.id, purpose, by: null, at: system.clock.now() }),
    )
  ).code

const activate = (system: TestSystem, code: string, password = PASSWORD) =>
  activateAccount(system, stranger(), ActivateAccount.parse({ code, password }))

const enter = (system: TestSystem, password: string) =>
  signIn(system, stranger(), SignIn.parse({ email: 'ximena@notaria.example', password }))

const actionsOf = async (system: TestSystem) => (await system.log()).map(({ action }) => action)

onEachSystem('an activation link', (current) => {
  test('gives the account a password and opens a session', async () => {
    const system = current()
    const { office, user } = await anInvited(system)
    const code = await aCode(system, user)
    const outcome = await activate(system, code.toLowerCase())
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    expect(outcome.user).toMatchObject({ id: user.id, state: 'active', passwordChangedAt: MORNING })
    expect(await enter(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
    const stored = await system.db.selectFrom('activations').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(code)
    const from = { ip: origin.ip, device: origin.device, requestId: origin.requestId }
    expect((await system.log()).slice(0, 2)).toMatchObject([
      {
        ...from,
        officeId: office.id,
        actor: { kind: 'anonymous' },
        action: 'activation.used',
        subject: { kind: 'user', id: user.id },
        result: 'success',
        details: { purpose: 'activation' },
      },
      {
        ...from,
        officeId: office.id,
        actor: { kind: 'person', userId: user.id },
        action: 'session.started',
        details: { method: 'activation' },
      },
    ])
  })

  test('opens once, and for a day', async () => {
    const system = current()
    const { user } = await anInvited(system)
    const old = await aCode(system, user)
    const code = await aCode(system, user)
    await expect(activate(system, old)).rejects.toEqual(spent)
    system.wait(hours(24))
    await expect(activate(system, code)).rejects.toEqual(spent)
    const next = await aCode(system, user)
    expect(await activate(system, next)).toMatchObject({ kind: 'signed-in' })
    await expect(activate(system, next, OTHER)).rejects.toEqual(spent)
    expect(await actionsOf(system)).toEqual([
      'activation.refused',
      'activation.refused',
      'activation.used',
      'session.started',
      'activation.refused',
    ])
  })

  test('looking at a link does not use it up', async () => {
    const system = current()
    const { user } = await anInvited(system)
    const code = await aCode(system, user)
    for (let i = 0; i < 5; i++)
      expect(await findOpenActivation(system.db, code, MORNING)).toMatchObject({ state: 'open' })
    expect(await activate(system, code)).toMatchObject({ kind: 'signed-in' })
  })

  test('its purpose is what is stored, and is told only for a code that is valid', async () => {
    const system = current()
    const { user } = await anInvited(system)
    const purpose = (code: string) =>
      findLinkPurpose(system, stranger(), { code: ActivationCode.parse(code) })
    const first = await aCode(system, user)
    expect(await purpose(first)).toBe('activation')
    const second = await aCode(system, user, 'recovery')
    expect(await purpose(second)).toBe('recovery')
    expect(await purpose(first)).toBeUndefined()
    expect(await purpose('0'.repeat(26))).toBeUndefined()
    for (let turn = 4; turn < 60; turn += 1) await purpose(second)
    await expect(purpose(second)).rejects.toMatchObject({ code: 'too-many-attempts' })
  })

  test('a weak password does not use the link up and says why', async () => {
    const system = current()
    const { user } = await anInvited(system)
    const code = await aCode(system, user)
    for (const [password, kind] of [
      ['corta', 'too-short'],
      ['Ximena Cañedo Íñiguez', 'own-words'],
      ['qwertyuiopasdfg', 'too-common'],
      [code, 'own-words'],
      [groupedActivationCode(code), 'own-words'],
    ] as const)
      await expect(activate(system, code, password)).rejects.toEqual(
        expect.objectContaining({ code: 'weak-password', kind }),
      )
    expect(await activate(system, code)).toMatchObject({ kind: 'signed-in' })
  })

  test('used by twenty at once lets in one', async () => {
    const system = current()
    const { user } = await anInvited(system)
    const code = await aCode(system, user)
    const all = Array.from({ length: 20 }, (_, i) => activate(system, code, `${PASSWORD} ${i}`))
    const settled = await Promise.allSettled(all)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of settled) if (each.status === 'rejected') expect(each.reason).toEqual(spent)
    const sessions = await system.db.selectFrom('sessions').select('id').execute()
    expect(sessions).toHaveLength(1)
    const actions = await actionsOf(system)
    expect(actions.filter((action) => action !== 'activation.refused')).toEqual([
      'activation.used',
      'session.started',
    ])
    expect(actions).toHaveLength(21)
  })

  test('of a suspended user is refused', async () => {
    const system = current()
    const { user } = await anInvited(system)
    const code = await aCode(system, user)
    await system.db.transaction((trx) =>
      replaceUserState(trx, user.id, 'invited', 'suspended', MORNING),
    )
    await expect(activate(system, code)).rejects.toEqual(spent)
  })

  test('cannot be found by trying', async () => {
    const system = current()
    await anInvited(system)
    const nobodys = '0'.repeat(26)
    for (let i = 0; i < 60; i++) await activate(system, nobodys).catch(() => {})
    await expect(activate(system, nobodys)).rejects.toEqual(
      expect.objectContaining({ code: 'too-many-attempts', retryAfter: 900_000 }),
    )
  })

  describe('for a user who forgot the password', () => {
    const recovering = async (system: TestSystem) => {
      const hash = await system.passwords.hash(OTHER)
      const office = await storedOffice(system.db)
      const email = 'ximena@notaria.example'
      return await storedUser(system.db, office, ['NOTARY'], { email }, hash)
    }

    test('ends every session, and warns the person', async () => {
      const system = current()
      const user = await recovering(system)
      await enter(system, OTHER)
      const outcome = await activate(system, await aCode(system, user, 'recovery'))
      if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
      const live = await system.db
        .selectFrom('sessions')
        .select('id')
        .where('ended_at', 'is', null)
        .execute()
      expect(live).toEqual([{ id: outcome.session.id }])
      expect(await enter(system, OTHER)).toEqual({ kind: 'refused' })
      expect(await actionsOf(system)).toEqual([
        'session.started',
        'activation.used',
        'session.started',
        'session.refused',
      ])
      const alerts = await system.db.selectFrom('alerts').selectAll().execute()
      expect(alerts).toMatchObject([{ kind: 'password-changed', user_id: user.id }])
    })

    test('keeps the second factor: it opens no session by itself', async () => {
      const system = current()
      const user = await recovering(system)
      await withTotp(system, user)
      const outcome = await activate(system, await aCode(system, user, 'recovery'))
      expect(outcome).toMatchObject({ kind: 'second-factor-next', signIn: { methods: ['TOTP'] } })
      expect(await system.db.selectFrom('sessions').select('id').execute()).toEqual([])
      expect(await actionsOf(system)).toEqual(['activation.used', 'session.password-accepted'])
    })

    test('does not activate a user who never signed in', async () => {
      const system = current()
      const { user } = await anInvited(system)
      await expect(activate(system, await aCode(system, user, 'recovery'))).rejects.toEqual(spent)
    })
  })
})

const INSTALLATION = {
  number: '12',
  entity: 'Nuevo León',
  municipality: 'Monterrey',
  address: 'Zaragoza 100',
  timeZone: 'America/Monterrey',
  name: 'Notaría 12 de Nuevo León',
  firstName: 'Ana',
  lastName: 'Muñoz',
  email: 'ana@notaria.example',
  rfc: 'MULA800101AB1',
  password: PASSWORD,
}

onEachSystem('an empty installation', (current) => {
  const install = (system: TestSystem, code: string, changes = {}) =>
    activateInstallation(
      system,
      stranger(),
      ActivateInstallation.parse({ ...INSTALLATION, ...changes, code }),
    )
  const offer = async (system: TestSystem) => {
    const offered = await offerInstallation(system)
    if (!offered) throw new Error('nothing was offered')
    const [page, code = ''] = offered.link.split('#')
    expect(page).toBe('http://localhost:3000/activate')
    return ActivationCode.parse(code)
  }

  test('is made with its first administrator by one link', async () => {
    const system = current()
    const code = await offer(system)
    expect(await isInstalled(system)).toBe(false)
    const outcome = await install(system, code)
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    // An administrator must set up a second factor first.
    expect(outcome.duty).toBe('set-up-second-factor')
    const [office] = await listOffices(system.db)
    expect(office).toMatchObject({
      ...{ number: 12, name: 'Notaría 12 de Nuevo León' },
      // The strictest policies, until an administrator relaxes them.
      ...{ serverSigning: 'disabled', secondFactorGrace: 0 },
    })
    expect(await listUsers(system.db, office?.id as never)).toMatchObject([
      { roles: ['ADMIN'], state: 'active', email: 'ana@notaria.example' },
    ])
    expect(await isInstalled(system)).toBe(true)
    expect(await offerInstallation(system)).toBeUndefined()
    expect(await actionsOf(system)).toEqual([
      'activation.created',
      'office.created',
      'user.created',
      'activation.used',
      'session.started',
    ])
    await expect(install(system, code)).rejects.toEqual(spent)
  })

  test('takes the newest link only', async () => {
    const system = current()
    const first = await offer(system)
    const second = await offer(system)
    await expect(install(system, first)).rejects.toEqual(spent)
    expect(await install(system, second)).toMatchObject({ kind: 'signed-in' })
  })

  test('is made once by twenty at once', async () => {
    const system = current()
    const code = await offer(system)
    const all = Array.from({ length: 20 }, (_, i) =>
      install(system, code, { email: `ana${i}@notaria.example` }),
    )
    const settled = await Promise.allSettled(all)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listOffices(system.db)).toHaveLength(1)
  })

  test('refuses the words of the very office as a password, and stays empty', async () => {
    const system = current()
    const code = await offer(system)
    await expect(install(system, code, { password: 'notaria12monterrey' })).rejects.toEqual(
      expect.objectContaining({ code: 'weak-password', kind: 'own-words' }),
    )
    expect(await listOffices(system.db)).toEqual([])
    const email = Email.parse('ana@notaria.example')
    expect(await findCredentials(system.db, email)).toBeUndefined()
  })

  test('links: one for a user installs nothing, one for an installation activates no user', async () => {
    const system = current()
    const code = await offer(system)
    await expect(activate(system, code)).rejects.toEqual(spent)
    const { user } = await anInvited(system)
    await expect(install(system, await aCode(system, user))).rejects.toEqual(spent)
  })
})
