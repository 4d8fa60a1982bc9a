import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { replaceUserState } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { hours, minutes, seconds } from '#server/domain/time.ts'
import { endOtherSessions } from '#server/features/auth/end-other-sessions.ts'
import { EndSession, endSession } from '#server/features/auth/end-session.ts'
import { listOwnSessions } from '#server/features/auth/list-own-sessions.ts'
import { refreshSession } from '#server/features/auth/refresh-session.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { MORNING, origin, storedUser, stranger } from '#tests/support/builders.ts'
import { anAccount, newSession, personWith } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const recorded = async (system: TestSystem) => (await system.log()).map(({ action }) => action)

/** Visits a page now and then during this time. */
async function use(system: TestSystem, refresh: string, times: number, every = minutes(20)) {
  let newest = refresh
  for (let i = 0; i < times; i++) {
    system.wait(every)
    const answer = await refreshSession(system, origin, newest, 'activity')
    if (answer.kind !== 'refreshed') throw new Error(`${answer.kind} after ${i} times`)
    await personWith(system, answer.tokens.access)
    newest = answer.tokens.refresh
  }
  return newest
}

onEachSystem('sessions', (current) => {
  test('an access token becomes the person', async () => {
    const system = current()
    const { user, office } = await anAccount(system)
    const { tokens, session } = await newSession(system, { user, office }, {}, 'TOTP')
    expect(await resumeSession(system, origin, tokens.access)).toEqual({
      kind: 'person',
      userId: user.id,
      officeId: user.officeId,
      sessionId: session.id,
      roles: ['ADMIN', 'NOTARY'],
      firstName: 'Ximena',
      lastName: 'Cañedo Íñiguez',
      rfc: 'CACX7605101P8',
      signedInAt: MORNING,
      provenAt: MORNING,
      secondFactorAt: MORNING,
      duty: null,
      ...origin,
    })
  })

  test.each(['', 'nonsense', 'A'.repeat(43)])('the token %j opens nothing', async (token) => {
    const system = current()
    await newSession(system, await anAccount(system))
    expect(await resumeSession(system, origin, token)).toBeUndefined()
  })

  test('a session ends when it rests too long, and lives on while it is used', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const newest = await use(system, tokens.refresh, 3, minutes(29))
    system.wait(minutes(30))
    expect(await refreshSession(system, origin, newest)).toEqual({ kind: 'none' })
  })

  test('a session ends after twelve hours, however busy', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const newest = await use(system, tokens.refresh, hours(12) / minutes(20) - 1)
    system.wait(seconds(1199))
    expect(await refreshSession(system, origin, newest)).toMatchObject({ kind: 'refreshed' })
    system.wait(seconds(1))
    expect(await refreshSession(system, origin, newest)).toEqual({ kind: 'none' })
  })

  test('"last seen" is written at most once a minute, and only for activity of the user', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const person = await personWith(system, tokens.access)
    const lastSeen = async () => (await listOwnSessions(system, person))[0]?.lastSeenAt
    system.wait(seconds(59))
    await personWith(system, tokens.access)
    expect(await lastSeen()).toBe(MORNING)
    system.wait(seconds(1))
    for (const visit of ['background', 'passive'] as const)
      await resumeSession(system, origin, tokens.access, visit)
    expect(await lastSeen()).toBe(MORNING)
    await personWith(system, tokens.access)
    expect(await lastSeen()).toBe(MORNING + seconds(60))
  })

  test('a glance leaves no trace: the token counts as never used', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const used = () =>
      system.db
        .selectFrom('session_tokens')
        .select('used_at')
        .where('kind', '=', 'access')
        .execute()
    await resumeSession(system, origin, tokens.access, 'passive')
    expect(await used()).toEqual([{ used_at: null }])
    await resumeSession(system, origin, tokens.access, 'background')
    expect(await used()).toEqual([{ used_at: MORNING }])
  })

  test('suspension: ends access with the next request', async () => {
    const system = current()
    const account = await anAccount(system)
    const { tokens } = await newSession(system, account)
    await system.db.transaction((trx) =>
      replaceUserState(trx, account.user.id, 'active', 'suspended', MORNING),
    )
    expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
  })

  test('a duty is seen with the next request', async () => {
    const system = current()
    const account = await anAccount(system, { secondFactorGrace: minutes(5) })
    const { tokens } = await newSession(system, account)
    expect(await personWith(system, tokens.access)).toMatchObject({ duty: null })
    system.wait(minutes(5))
    expect(await personWith(system, tokens.access)).toMatchObject({
      duty: 'set-up-second-factor',
    })
    const asked = await storedUser(system.db, account.office, ['CLERK'], {
      passwordChangeSince: MORNING,
    })
    const { person } = await newSession(system, { office: account.office, user: asked })
    expect(person.duty).toBe('change-password')
  })

  test('signing out ends the session and is told once', async () => {
    const system = current()
    const { tokens, person } = await newSession(system, await anAccount(system))
    await signOut(system, person)
    await signOut(system, person)
    await signOut(system, stranger())
    expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
    expect(await refreshSession(system, origin, tokens.refresh)).toEqual({ kind: 'none' })
    expect(await recorded(system)).toEqual(['session.started', 'session.ended'])
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { kind: 'person', userId: person.userId },
      subject: { kind: 'session', id: person.sessionId },
      details: { reason: 'signed-out' },
    })
  })

  test('a person sees the own sessions and ends another one', async () => {
    const system = current()
    const account = await anAccount(system)
    const elsewhere = await newSession(system, account)
    system.wait(minutes(1))
    const { person: here } = await newSession(system, account)
    const sessions = await listOwnSessions(system, here)
    expect(sessions.map(({ place }) => place)).toEqual(['here', 'elsewhere'])

    const other = elsewhere.session.id
    await endSession(system, here, EndSession.parse({ sessionId: other }))
    await endSession(system, here, EndSession.parse({ sessionId: other }))
    expect(await resumeSession(system, origin, elsewhere.tokens.access)).toBeUndefined()
    expect(await listOwnSessions(system, here)).toHaveLength(1)
    expect(await recorded(system)).toEqual(['session.started', 'session.started', 'session.ended'])
    expect((await system.log()).at(-1)).toMatchObject({
      subject: { kind: 'session', id: other },
      result: 'success',
      details: { reason: 'ended-by-user' },
    })
  })

  test('a person ends all others at once; the own one and those of others stay', async () => {
    const system = current()
    const account = await anAccount(system)
    const others = [await newSession(system, account), await newSession(system, account)]
    const here = await newSession(system, account)
    const colleague = await storedUser(system.db, account.office)
    const theirs = await newSession(system, { office: account.office, user: colleague })

    expect(await endOtherSessions(system, here.person)).toBe(2)
    expect(await endOtherSessions(system, here.person)).toBe(0)
    for (const { tokens } of others) {
      expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
      expect(await refreshSession(system, origin, tokens.refresh)).toEqual({ kind: 'none' })
    }
    for (const { tokens } of [here, theirs]) await personWith(system, tokens.access)
    expect((await recorded(system)).filter((action) => action !== 'session.started')).toEqual([
      'session.ended',
    ])
    expect((await system.log()).at(-1)).toMatchObject({
      subject: { kind: 'user', id: account.user.id },
      details: { reason: 'ended-by-user', sessions: 2 },
    })
  })

  test('ending sessions wants a fresh proof, which is no refusal to be told', async () => {
    const system = current()
    const account = await anAccount(system)
    const elsewhere = await newSession(system, account)
    const { person } = await newSession(system, account)
    system.wait(minutes(10))
    const one = endSession(system, person, { sessionId: elsewhere.session.id })
    await expect(one).rejects.toMatchObject({ code: 'step-up-needed' })
    const all = endOtherSessions(system, person)
    await expect(all).rejects.toMatchObject({ code: 'step-up-needed' })
    expect(await recorded(system)).toEqual(['session.started', 'session.started'])
    expect(await listOwnSessions(system, person)).toHaveLength(2)
  })

  test('end all sessions: ends the live ones only', async () => {
    const system = current()
    const account = await anAccount(system, { sessionAbsolute: hours(1) })
    await newSession(system, account)
    system.wait(hours(1))
    const last = await newSession(system, account)
    await newSession(system, account)
    const at = system.clock.now()
    const by = account.user.id
    const ended = await system.db.transaction((trx) =>
      endSessionsOf(trx, by, { at, by, reason: 'password-changed', except: last.session.id }),
    )
    expect(ended).toBe(1)
    await personWith(system, last.tokens.access)
  })

  test('session: a user cannot end the session of another', async () => {
    const system = current()
    const mine = await newSession(system, await anAccount(system))
    const theirs = await newSession(system, await anAccount(system, { number: 13 }))
    for (const sessionId of [theirs.session.id, randomUUID()]) {
      const ending = endSession(system, mine.person, EndSession.parse({ sessionId }))
      await expect(ending).rejects.toMatchObject({ code: 'not-found' })
    }
    expect(await listOwnSessions(system, theirs.person)).toHaveLength(1)
  })

  test('a stranger has no sessions', async () => {
    const system = current()
    for (const asking of [
      listOwnSessions(system, stranger()),
      endOtherSessions(system, stranger()),
    ])
      await expect(asking).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})
