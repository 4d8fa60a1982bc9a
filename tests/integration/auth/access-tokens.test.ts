import { describe, expect, test } from 'vitest'
import { replaceUserState } from '#server/db/people/users.ts'
import { MOST_ACCESS_TOKENS } from '#server/domain/identity/access-token.ts'
import { CALLS_OF_TOKEN, TOKENS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { days, minutes } from '#server/domain/time.ts'
import { CreateAccessToken, createAccessToken } from '#server/features/auth/create-access-token.ts'
import { listAccessTokens } from '#server/features/auth/list-access-tokens.ts'
import { resumeWithToken } from '#server/features/auth/resume-with-token.ts'
import { revokeAccessToken } from '#server/features/auth/revoke-access-token.ts'
import { reactivateUser } from '#server/features/users/reactivate-user.ts'
import { suspendUser } from '#server/features/users/suspend-user.ts'
import { asPerson, origin, storedOffice, storedUser } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { aMember, anOfficeWithStaff } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const INPUT = { name: 'Agente de la oficina', days: 90 }

async function aHolder(system: TestSystem, changes: Record<string, unknown> = {}) {
  const office = await storedOffice(system.db)
  return { office, ...(await aMember(system, office, ['NOTARY'], changes)) }
}

const resume = (system: TestSystem, text: string) =>
  resumeWithToken(system, { ...origin, browser: null }, text, 'sign')

onEachSystem('access tokens', (current) => {
  test('a token becomes its owner, who has proved nothing freshly', async () => {
    const system = current()
    const { person, user } = await aHolder(system)
    const { text, token } = await createAccessToken(system, person, INPUT)
    expect(text).toMatch(/^rubrica_[\w-]{43}$/)
    system.wait(minutes(30))
    expect(await resume(system, text)).toMatchObject({
      kind: 'person',
      userId: user.id,
      sessionId: token.id,
      roles: ['NOTARY'],
      provenAt: token.createdAt,
      secondFactorAt: null,
    })
  })

  test('created: is logged, raises an alert and is listed with its last use', async () => {
    const system = current()
    const { person } = await aHolder(system)
    const { text, token } = await createAccessToken(system, person, INPUT)
    expect(await listAccessTokens(system, person)).toEqual([token])
    for (let call = 0; call < 3; call++) await resume(system, text)
    const [listed] = await listAccessTokens(system, person)
    expect(listed?.lastUsedAt).toBe(token.createdAt)
    const events = await system.log()
    expect(events.map(({ action }) => action)).toEqual([
      'session.started',
      'access-token.created',
      'access-token.used',
    ])
    expect(JSON.stringify(events)).not.toContain(text.slice(8))
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'access-token-created', user_id: person.userId },
    ])
  })

  test('ends with the rights of its owner and does not return with them', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const { text } = await createAccessToken(system, clerk.person, INPUT)
    const userId = clerk.user.id
    const said = { userId, reason: 'Salió de vacaciones sin avisar' }
    await suspendUser(system, admin.person, said)
    await reactivateUser(system, admin.person, said)
    await expect(resume(system, text)).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await listAccessTokens(system, clerk.person)).toEqual([])
  })

  test('access tokens: twenty at most; revoking one makes room', async () => {
    const system = current()
    const { person } = await aHolder(system)
    const more = () => createAccessToken(system, person, INPUT)
    for (let made = 1; made < MOST_ACCESS_TOKENS; made++) await more()
    const last = await Promise.allSettled([more(), more(), more()])
    expect(last.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ])
    await expect(more()).rejects.toMatchObject({ code: 'too-many-access-tokens' })
    const [one, ...others] = await listAccessTokens(system, person)
    expect(others).toHaveLength(MOST_ACCESS_TOKENS - 1)
    await revokeAccessToken(system, person, { accessTokenId: one!.id })
    await more()
    // Expired tokens do not count.
    system.wait(days(91))
    const proven = { ...person, provenAt: system.clock.now() }
    await createAccessToken(system, proven, INPUT)
  })

  test('access token: only its hash is stored', async () => {
    const system = current()
    const { person } = await aHolder(system)
    const { text } = await createAccessToken(system, person, INPUT)
    const rows = await system.db.selectFrom('access_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(text.slice(8))
  })

  test('is created only with a recent proof of identity', async () => {
    const system = current()
    const { person } = await aHolder(system)
    system.wait(minutes(11))
    await expect(createAccessToken(system, person, INPUT)).rejects.toMatchObject({
      code: 'step-up-needed',
    })
  })

  describe('is refused', () => {
    test('once revoked', async () => {
      const system = current()
      const { person } = await aHolder(system)
      const { text, token } = await createAccessToken(system, person, INPUT)
      system.wait(days(1))
      await revokeAccessToken(system, person, { accessTokenId: token.id })
      await revokeAccessToken(system, person, { accessTokenId: token.id })
      await expect(resume(system, text)).rejects.toMatchObject({ code: 'not-signed-in' })
      expect(await listAccessTokens(system, person)).toEqual([])
      const recorded = (await system.log()).map(({ action }) => action)
      expect(recorded.filter((action) => action === 'access-token.revoked')).toHaveLength(1)
    })

    test('when its days are over', async () => {
      const system = current()
      const { person } = await aHolder(system)
      const { text } = await createAccessToken(system, person, INPUT)
      system.wait(days(90))
      await expect(resume(system, text)).rejects.toMatchObject({ code: 'not-signed-in' })
    })

    test('when its owner is suspended', async () => {
      const system = current()
      const { person, user } = await aHolder(system)
      const { text } = await createAccessToken(system, person, INPUT)
      const at = system.clock.now()
      await system.db.transaction((trx) =>
        replaceUserState(trx, user.id, 'active', 'suspended', at, user.id, 'Baja'),
      )
      await expect(resume(system, text)).rejects.toMatchObject({ code: 'not-signed-in' })
    })

    test.each(['', 'rubrica_', `rubrica_${'A'.repeat(43)}`, 'A'.repeat(43)])('%j', async (text) => {
      await expect(resume(current(), text)).rejects.toMatchObject({ code: 'not-signed-in' })
    })
  })

  test('access token: a user cannot revoke that of another', async () => {
    const system = current()
    const { person, office } = await aHolder(system)
    const { token } = await createAccessToken(system, person, INPUT)
    const other = asPerson(await storedUser(system.db, office))
    await expect(
      revokeAccessToken(system, other, { accessTokenId: token.id }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('throttle: guessing and endless requests must wait', async () => {
    const system = current()
    const { person } = await aHolder(system)
    const { text, token } = await createAccessToken(system, person, INPUT)
    for (let guess = 0; guess < TOKENS_FROM_NETWORK.free; guess++)
      await resume(system, 'rubrica_nothing').catch(() => undefined)
    await expect(resume(system, 'rubrica_nothing')).rejects.toMatchObject({
      code: 'too-many-attempts',
    })
    // Guesses of others cost a good token nothing.
    await resume(system, text)
    await system.db.transaction((trx) =>
      trx
        .updateTable('attempts')
        .set({ attempts: CALLS_OF_TOKEN.free })
        .where('key', '=', `calls-of-token:${token.id}`)
        .execute(),
    )
    await expect(resume(system, text)).rejects.toMatchObject({ code: 'too-many-attempts' })
  })

  test('a duty of its owner is one of the program, too', async () => {
    const system = current()
    const { person } = await aHolder(system, {
      passwordChangeSince: system.clock.now(),
      passwordChangeBy: null,
    })
    // Made before the duty began.
    const { text } = await createAccessToken(system, { ...person, duty: null }, INPUT)
    expect(await resume(system, text)).toMatchObject({ duty: 'change-password' })
  })
})

test.each([
  { name: '', days: 90 },
  { name: 'x'.repeat(61), days: 90 },
  { name: 'a\u0000b', days: 90 },
  { name: 'Agente', days: 366 },
  { name: 'Agente', days: 0 },
])('no token: %j', (input) => {
  expect(CreateAccessToken.safeParse(input).success).toBe(false)
})
