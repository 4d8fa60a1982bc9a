import { expect, test } from 'vitest'
import { insertActivation } from '#server/db/people/activations.ts'
import { markPasswordChange } from '#server/db/people/credentials.ts'
import { findUser } from '#server/db/people/users.ts'
import { insertSignIn } from '#server/db/sign-ins/sign-ins.ts'
import { tokenFrom } from '#server/domain/crypto/token.ts'
import { minutes } from '#server/domain/time.ts'
import { activateAccount } from '#server/features/auth/activate-account.ts'
import { changePassword } from '#server/features/auth/change-password.ts'
import { readSignIn } from '#server/features/auth/read-sign-in.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { disableTotp } from '#server/features/mfa/disable-totp.ts'
import { stepUp } from '#server/features/mfa/step-up.ts'
import { MORNING, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { busySystem } from '#tests/support/keys/second-factors.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const CURRENT = 'caballo correcto batería'
const NEXT = 'otoño cobre ventana lejos'

async function aNotary(system: TestSystem) {
  const office = await storedOffice(system.db)
  const hash = await system.passwords.hash(CURRENT)
  const email = 'ximena@notaria.example'
  return { office, user: await storedUser(system.db, office, ['NOTARY'], { email }, hash) }
}

async function enter(system: TestSystem, password = CURRENT) {
  const input = SignIn.parse({ email: 'ximena@notaria.example', password })
  const outcome = await signIn(system, stranger(), input)
  if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
  const person = await resumeSession(system, origin, outcome.tokens.access)
  if (!person) throw new Error('no session')
  return { person, tokens: outcome.tokens }
}

const refused = (code: string, more = {}) => expect.objectContaining({ code, ...more })

onEachSystem('changing the password', (current) => {
  test('ends everything that the old one opened, and gives new tokens', async () => {
    const system = current()
    const { office, user } = await aNotary(system)
    await enter(system)
    const { person, tokens } = await enter(system)
    const pending = tokenFrom(new Uint8Array(32).fill(1))
    await system.db.transaction((trx) => insertSignIn(trx, user, pending, MORNING))
    await system.db.transaction((trx) =>
      insertActivation(trx, { userId: user.id, purpose: 'recovery', by: null, at: MORNING }),
    )

    const changed = await changePassword(system, person, { current: CURRENT, password: NEXT })
    expect(changed.ended).toBe(1)
    expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
    expect(await resumeSession(system, origin, changed.tokens.access)).toMatchObject({
      sessionId: person.sessionId,
    })
    expect(await readSignIn(system, pending)).toMatchObject({ state: 'over' })
    const links = await system.db.selectFrom('activations').select('state').execute()
    expect(links).toEqual([{ state: 'ended' }])
    expect((await system.log()).at(-1)).toMatchObject({
      officeId: office.id,
      actor: { kind: 'person', userId: user.id, sessionId: person.sessionId },
      action: 'password.changed',
      subject: { kind: 'user', id: user.id },
      result: 'success',
      details: { ended: 1 },
    })
    const alerts = await system.db.selectFrom('alerts').selectAll().execute()
    expect(alerts).toMatchObject([{ kind: 'password-changed', user_id: user.id }])
    await expect(enter(system)).rejects.toThrow('refused')
    await enter(system, NEXT)
  })

  test('fulfils a forced change: nothing else is asked afterwards', async () => {
    const system = current()
    const { user } = await aNotary(system)
    await system.db.transaction((trx) => markPasswordChange(trx, user.id, MORNING, user.id))
    const { person } = await enter(system)
    expect(person.duty).toBe('change-password')
    const { tokens } = await changePassword(system, person, { current: CURRENT, password: NEXT })
    expect(await resumeSession(system, origin, tokens.access)).toMatchObject({ duty: null })
    expect(await findUser(system.db, user.id)).toMatchObject({
      passwordChangeSince: null,
      passwordChangeBy: null,
      passwordChangedAt: MORNING,
    })
  })

  test('without the current one is refused and told, five times, then no more', async () => {
    const system = current()
    await aNotary(system)
    const { person } = await enter(system)
    const wrong = { current: 'caballo incorrecto', password: NEXT }
    for (let i = 0; i < 5; i++)
      await expect(changePassword(system, person, wrong)).rejects.toEqual(refused('wrong-password'))
    const right = { current: CURRENT, password: NEXT }
    await expect(changePassword(system, person, right)).rejects.toEqual(
      refused('too-many-attempts', { retryAfter: 900_000 }),
    )
    const recorded = (await system.log()).slice(1)
    expect(recorded.map(({ action, details }) => [action, details.reason])).toEqual([
      ...Array(5).fill(['password.refused', 'wrong-password']),
      ['password.refused', 'too-many-attempts'],
    ])
    system.wait(minutes(15))
    expect(await changePassword(system, person, right)).toMatchObject({ ended: 0 })
  })

  test('with a new one that is too weak costs no guess', async () => {
    const system = current()
    await aNotary(system)
    const { person } = await enter(system)
    for (let i = 0; i < 6; i++)
      await expect(
        changePassword(system, person, { current: CURRENT, password: 'corta' }),
      ).rejects.toEqual(refused('weak-password'))
    expect(
      await changePassword(system, person, { current: CURRENT, password: NEXT }),
    ).toMatchObject({ ended: 0 })
  })

  test('crowded password check: refused without spending an attempt', async () => {
    const system = current()
    await aNotary(system)
    const { person } = await enter(system)
    const input = { current: CURRENT, password: NEXT }
    for (let i = 0; i < 6; i++)
      await expect(changePassword(busySystem(system), person, input)).rejects.toThrow('wait')
    expect(await changePassword(system, person, input)).toMatchObject({ ended: 0 })
  })

  test('does not reset the attempts of other proofs of identity', async () => {
    const system = current()
    const { user } = await aNotary(system)
    const { person } = await enter(system)
    await withTotp(system, user)
    const wrong = { method: 'BACKUP_CODE', code: 'XXXX-XXXX-XXXX' } as const
    for (let i = 0; i < 4; i++) await stepUp(system, person, wrong)
    await changePassword(system, person, { current: CURRENT, password: NEXT })
    expect(await stepUp(system, person, wrong)).toMatchObject({ attemptsLeft: 0 })
    await expect(stepUp(system, person, wrong)).rejects.toEqual(refused('too-many-attempts'))
  })

  test('proves identity without second factors', async () => {
    const system = current()
    await aNotary(system)
    const { person } = await enter(system)
    system.wait(minutes(11))
    const { tokens } = await changePassword(system, person, { current: CURRENT, password: NEXT })
    expect(await resumeSession(system, origin, tokens.access)).toMatchObject({
      provenAt: system.clock.now(),
    })
  })

  test('is no proof of a user with a second factor', async () => {
    const system = current()
    const { user } = await aNotary(system)
    const { person } = await enter(system)
    await withTotp(system, user)
    system.wait(minutes(11))
    const { tokens } = await changePassword(system, person, { current: CURRENT, password: NEXT })
    const now = await resumeSession(system, origin, tokens.access)
    expect(now).toMatchObject({ provenAt: MORNING })
    if (now) await expect(disableTotp(system, now)).rejects.toEqual(refused('step-up-needed'))
  })

  test.each([
    ['corta', 'too-short'],
    ['x'.repeat(129), 'too-long'],
    ['caballo\tcorrecto batería', 'control-character'],
    [CURRENT, 'same-as-before'],
    [CURRENT.normalize('NFD'), 'same-as-before'],
    ['contraseña12345', 'too-common'],
    ['123456789012345', 'too-common'],
    ['qwertyuiopasdfg', 'too-common'],
    ['notaria12coyoacan', 'own-words'],
    ['Ximena.Cañedo.2026', 'own-words'],
  ])('to %s is refused as %s', async (password, kind) => {
    const system = current()
    const office = await storedOffice(system.db, { municipality: 'Coyoacán' })
    const hash = await system.passwords.hash(CURRENT)
    const email = 'ximena@notaria.example'
    await storedUser(system.db, office, ['NOTARY'], { email }, hash)
    const { person } = await enter(system)
    await expect(changePassword(system, person, { current: CURRENT, password })).rejects.toEqual(
      refused('weak-password', { kind }),
    )
    await enter(system)
  })

  test.each(['una jacaranda, dos colibríes', 'ñandú ✓ 𝔘nicode', 'ñññññ Zulú ábaco tren'])(
    'to %s is done',
    async (password) => {
      const system = current()
      await aNotary(system)
      const { person } = await enter(system)
      await changePassword(system, person, { current: CURRENT, password })
      await enter(system, password)
    },
  )

  test('by two tabs at once is done by one', async () => {
    const system = current()
    await aNotary(system)
    const { person } = await enter(system)
    const settled = await Promise.allSettled(
      [NEXT, `${NEXT} dos`].map((password) =>
        changePassword(system, person, { current: CURRENT, password }),
      ),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('while a link for a forgotten password is used is done by one of the two', async () => {
    const system = current()
    const { user } = await aNotary(system)
    const { person } = await enter(system)
    const { code } = await system.db.transaction((trx) =>
      insertActivation(trx, { userId: user.id, purpose: 'recovery', by: null, at: MORNING }),
    )
    const settled = await Promise.allSettled([
      changePassword(system, person, { current: CURRENT, password: NEXT }),
      activateAccount(system, stranger(), { code, password: `${NEXT} dos` }),
    ])
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of settled)
      if (each.status === 'rejected')
        expect(['wrong-password', 'link-spent', 'not-signed-in']).toContain(each.reason.code)
  })
})
