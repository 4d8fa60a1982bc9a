import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { replaceUserState } from '#server/db/users.ts'
import { hours, minutes, seconds } from '#server/domain/time.ts'
import { EndSession, endSession } from '#server/features/auth/end-session.ts'
import { listOwnSessions } from '#server/features/auth/list-own-sessions.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { MORNING, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'caballo correcto batería'

async function anAccount(system: TestSystem, email = 'ximena@notaria.example', number = 12) {
  const office = await storedOffice(system.db, { number })
  const hash = await system.passwords.hash(PASSWORD)
  return await storedUser(system.db, office, ['NOTARY', 'ADMIN'], { email }, hash)
}

async function aToken(system: TestSystem, email = 'ximena@notaria.example') {
  const outcome = await signIn(system, stranger(), SignIn.parse({ email, password: PASSWORD }))
  if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
  return outcome.tokens.access
}

async function aPerson(system: TestSystem, token: string) {
  const person = await resumeSession(system, origin, token)
  if (!person) throw new Error('the session is over')
  return person
}

onEachSystem('sessions', (current) => {
  test('a token becomes the person', async () => {
    const system = current()
    const user = await anAccount(system)
    const token = await aToken(system)
    expect(await resumeSession(system, origin, token)).toEqual({
      kind: 'person',
      userId: user.id,
      officeId: user.officeId,
      sessionId: expect.any(String),
      roles: ['ADMIN', 'NOTARY'],
      firstName: 'Ximena',
      lastName: 'Cañedo Íñiguez',
      rfc: 'CACX7605101P8',
      signedInAt: MORNING,
      provenAt: MORNING,
      secondFactorAt: null,
      duty: null,
      ...origin,
    })
  })

  test.each(['', 'nonsense', 'A'.repeat(43)])('the token %j opens nothing', async (token) => {
    const system = current()
    await anAccount(system)
    expect(await resumeSession(system, origin, token)).toBeUndefined()
  })

  test('a session ends when it rests too long, and lives on while it is used', async () => {
    const system = current()
    await anAccount(system)
    const token = await aToken(system)
    for (let i = 0; i < 3; i++) {
      system.wait(minutes(29))
      await aPerson(system, token)
    }
    system.wait(minutes(30))
    expect(await resumeSession(system, origin, token)).toBeUndefined()
  })

  test('a session ends after twelve hours, however busy', async () => {
    const system = current()
    await anAccount(system)
    const token = await aToken(system)
    for (let waited = 0; waited < hours(12) - minutes(20); waited += minutes(20)) {
      system.wait(minutes(20))
      await aPerson(system, token)
    }
    system.wait(minutes(20))
    expect(await resumeSession(system, origin, token)).toBeUndefined()
  })

  test('"last seen" is written at most once a minute', async () => {
    const system = current()
    await anAccount(system)
    const token = await aToken(system)
    system.wait(seconds(59))
    const person = await aPerson(system, token)
    expect(await listOwnSessions(system, person)).toMatchObject([{ lastSeenAt: MORNING }])
    system.wait(seconds(1))
    await aPerson(system, token)
    expect(await listOwnSessions(system, person)).toMatchObject([
      { lastSeenAt: MORNING + seconds(60) },
    ])
  })

  test('somebody who is suspended is out with the next request', async () => {
    const system = current()
    const user = await anAccount(system)
    const token = await aToken(system)
    await system.db.transaction((trx) =>
      replaceUserState(trx, user.id, 'active', 'suspended', MORNING),
    )
    expect(await resumeSession(system, origin, token)).toBeUndefined()
  })

  test('signing out ends the session and is told once', async () => {
    const system = current()
    await anAccount(system)
    const token = await aToken(system)
    const person = await aPerson(system, token)
    await signOut(system, person)
    await signOut(system, person)
    await signOut(system, stranger())
    expect(await resumeSession(system, origin, token)).toBeUndefined()
    const log = await system.log()
    expect(log.map(({ action }) => action)).toEqual(['session.started', 'session.ended'])
    expect(log.at(-1)).toMatchObject({
      actor: { kind: 'person', userId: person.userId },
      subject: { kind: 'session', id: person.sessionId },
      details: { reason: 'signed-out' },
    })
  })

  test('a person sees the own sessions and ends another one', async () => {
    const system = current()
    await anAccount(system)
    const elsewhere = await aToken(system)
    system.wait(minutes(1))
    const here = await aPerson(system, await aToken(system))
    const sessions = await listOwnSessions(system, here)
    expect(sessions.map(({ place }) => place)).toEqual(['here', 'elsewhere'])

    const other = sessions[1]?.id
    await endSession(system, here, EndSession.parse({ sessionId: other }))
    expect(await resumeSession(system, origin, elsewhere)).toBeUndefined()
    expect(await listOwnSessions(system, here)).toHaveLength(1)
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'session.ended',
      subject: { kind: 'session', id: other },
      result: 'success',
      details: { reason: 'ended-by-user' },
    })
  })

  test('nobody ends the session of somebody else', async () => {
    const system = current()
    await anAccount(system)
    await anAccount(system, 'otra@notaria.example', 13)
    const mine = await aPerson(system, await aToken(system))
    const theirs = await aPerson(system, await aToken(system, 'otra@notaria.example'))
    for (const sessionId of [theirs.sessionId, randomUUID()]) {
      const ending = endSession(system, mine, EndSession.parse({ sessionId }))
      await expect(ending).rejects.toMatchObject({ code: 'not-found' })
    }
    expect(await listOwnSessions(system, theirs)).toHaveLength(1)
  })

  test('a stranger has no sessions', async () => {
    const listing = listOwnSessions(current(), stranger())
    await expect(listing).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})
