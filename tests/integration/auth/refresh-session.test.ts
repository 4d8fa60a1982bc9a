import { expect, test } from 'vitest'
import { replaceUserState } from '#server/db/people/users.ts'
import { listSessions } from '#server/db/sign-ins/sessions.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { hours, minutes, seconds } from '#server/domain/time.ts'
import { refreshSession } from '#server/features/auth/refresh-session.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { origin } from '#tests/support/builders.ts'
import {
  anAccount,
  newSession,
  personWith,
  renewSessionOf,
} from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const THIEF = { ...origin, ip: '198.51.100.66', device: 'curl', browser: null }

async function refreshed(system: TestSystem, token: string): Promise<SessionTokens> {
  const answer = await refreshSession(system, origin, token)
  if (answer.kind !== 'refreshed') throw new Error(answer.kind)
  return answer.tokens
}

const opens = async (system: TestSystem, { access }: SessionTokens) =>
  (await resumeSession(system, origin, access)) !== undefined

const recorded = async (system: TestSystem) => (await system.log()).map(({ action }) => action)

const alertsIn = (system: TestSystem) =>
  system.db.selectFrom('alerts').selectAll().orderBy('at').execute()

onEachSystem('refreshing a session', (current) => {
  test('an access token opens the session for ten minutes, and is then exchanged', async () => {
    const system = current()
    const { tokens, session } = await newSession(system, await anAccount(system))
    system.wait(seconds(599))
    expect(await opens(system, tokens)).toBe(true)
    system.wait(seconds(1))
    expect(await opens(system, tokens)).toBe(false)

    const answer = await refreshSession(system, origin, tokens.refresh)
    expect(answer).toMatchObject({ kind: 'refreshed', person: { sessionId: session.id } })
    const next = await refreshed(system, tokens.refresh)
    expect(next).not.toEqual(tokens)
    expect(next.expiresAt).toBe(session.expiresAt)
    expect(await opens(system, next)).toBe(true)

    expect(await recorded(system)).toEqual(['session.started', 'session.refreshed'])
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { kind: 'person', userId: session.userId, sessionId: session.id },
      subject: { kind: 'session', id: session.id },
      result: 'success',
      details: { generation: 2 },
    })
  })

  test('an exchange in mid-life leaves the old access token thirty seconds', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    await refreshed(system, tokens.refresh)
    system.wait(seconds(29))
    expect(await opens(system, tokens)).toBe(true)
    system.wait(seconds(1))
    expect(await opens(system, tokens)).toBe(false)
  })

  test('the same successor for thirty seconds, in the middle of a rotation, too', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const second = await refreshed(system, tokens.refresh)
    await personWith(system, second.access)
    system.wait(seconds(10))
    expect(await refreshed(system, tokens.refresh)).toEqual(second)
    const third = await refreshed(system, second.refresh)
    expect(await refreshed(system, tokens.refresh)).toEqual(third)
    expect(await recorded(system)).toEqual([
      'session.started',
      'session.refreshed',
      'session.refreshed',
    ])
  })

  test('a lost answer is given again, however late, with an access token that still opens', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    await personWith(system, tokens.access)
    const lost = await refreshed(system, tokens.refresh)
    system.wait(minutes(25))
    expect(await opens(system, lost)).toBe(false)
    const again = await refreshed(system, tokens.refresh)
    expect(again).toEqual(lost)
    expect(await opens(system, again)).toBe(true)
    expect(await recorded(system)).toEqual(['session.started', 'session.refreshed'])
  })

  test('an old token after its successor was used ends the whole family', async () => {
    const system = current()
    const account = await anAccount(system)
    const { tokens, session } = await newSession(system, account)
    const elsewhere = await newSession(system, account)
    const second = await refreshed(system, tokens.refresh)
    await personWith(system, second.access)
    system.wait(seconds(30))

    expect(await refreshSession(system, THIEF, tokens.refresh)).toEqual({ kind: 'reused' })
    for (const each of [tokens, second]) {
      expect(await opens(system, each)).toBe(false)
      expect(await refreshSession(system, origin, each.refresh)).toEqual({ kind: 'none' })
    }
    expect(await opens(system, elsewhere.tokens)).toBe(true)

    expect(await recorded(system)).toEqual([
      'session.started',
      'session.started',
      'session.refreshed',
      'session.reuse-detected',
    ])
    expect((await system.log()).at(-1)).toMatchObject({
      officeId: account.office.id,
      actor: { kind: 'anonymous' },
      subject: { kind: 'session', id: session.id },
      result: 'refused',
      ip: THIEF.ip,
      device: THIEF.device,
      details: { userId: account.user.id, presented: 1, current: 2 },
    })
    expect(await alertsIn(system)).toMatchObject([
      {
        kind: 'refresh-reuse',
        severity: 'danger',
        user_id: account.user.id,
        subject_id: session.id,
        facts: JSON.stringify({ device: THIEF.device, ip: THIEF.ip }),
      },
    ])
  })

  test('refresh: two tabs with lost answers stay signed in over twenty exchanges', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    // The browser keeps the cookies of the last answer that arrives.
    let jar = tokens
    for (let round = 0; round < 3; round++) {
      system.wait(minutes(11))
      const { refresh } = jar
      const answers = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const answer = await refreshed(system, refresh)
          if (index % 2) jar = answer
          return answer
        }),
      )
      expect(new Set(answers.map(({ refresh }) => refresh)).size).toBe(1)
      expect(await opens(system, jar)).toBe(true)
    }
    expect(await recorded(system)).toEqual([
      'session.started',
      ...Array.from({ length: 3 }, () => 'session.refreshed'),
    ])
    expect(await alertsIn(system)).toEqual([])

    // And all answers of a burst lost: the old token still leads to the newest.
    system.wait(minutes(11))
    await Promise.all(Array.from({ length: 20 }, () => refreshed(system, jar.refresh)))
    system.wait(minutes(5))
    expect(await opens(system, await refreshed(system, jar.refresh))).toBe(true)
  })

  test('chains of exchanges that overtake each other end at one and the same token', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const chain = async () => {
      let own = tokens
      for (let step = 0; step < 3; step++) own = await refreshed(system, own.refresh)
      return own
    }
    const ends = await Promise.all(Array.from({ length: 10 }, chain))
    const newest = await refreshed(system, tokens.refresh)
    for (const end of ends) expect(await opens(system, end)).toBe(true)
    expect(await opens(system, newest)).toBe(true)
    expect(await recorded(system)).not.toContain('session.reuse-detected')
  })

  test('exchanging keeps no resting session alive, unless a person did something', async () => {
    const system = current()
    const account = await anAccount(system, { sessionIdle: minutes(30) })
    const { tokens } = await newSession(system, account)
    const busy = await newSession(system, account)
    let [newest, newestBusy] = [tokens, busy.tokens]
    for (let waited = 0; waited < 2; waited++) {
      system.wait(minutes(14))
      newest = await refreshed(system, newest.refresh)
      await resumeSession(system, origin, newest.access, 'background')
      const answer = await refreshSession(system, origin, newestBusy.refresh, 'activity')
      if (answer.kind === 'refreshed') newestBusy = answer.tokens
    }
    system.wait(minutes(2))
    expect(await refreshSession(system, origin, newest.refresh)).toEqual({ kind: 'none' })
    expect(await opens(system, newest)).toBe(false)
    expect(await refreshSession(system, origin, newestBusy.refresh)).toMatchObject({
      kind: 'refreshed',
    })
  })

  test('no exchange outlives the absolute end', async () => {
    const system = current()
    const account = await anAccount(system, { sessionAbsolute: hours(1) })
    let newest = (await newSession(system, account)).tokens
    for (let waited = 0; waited < 5; waited++) {
      system.wait(minutes(11))
      newest = await refreshed(system, newest.refresh)
      await personWith(system, newest.access)
    }
    system.wait(seconds(299))
    expect(await opens(system, newest)).toBe(true)
    system.wait(seconds(1))
    expect(await opens(system, newest)).toBe(false)
    expect(await refreshSession(system, origin, newest.refresh, 'activity')).toEqual({
      kind: 'none',
    })
  })

  test('refresh: refused after a suspension or a sign-out', async () => {
    const system = current()
    const account = await anAccount(system)
    const { tokens, person } = await newSession(system, account)
    const other = await newSession(system, account)
    await signOut(system, person)
    expect(await refreshSession(system, origin, tokens.refresh)).toEqual({ kind: 'none' })
    await system.db.transaction((trx) =>
      replaceUserState(trx, account.user.id, 'active', 'suspended', system.clock.now()),
    )
    expect(await opens(system, other.tokens)).toBe(false)
    expect(await refreshSession(system, origin, other.tokens.refresh)).toEqual({ kind: 'none' })
    expect(await recorded(system)).toEqual(['session.started', 'session.started', 'session.ended'])
  })

  test.each(['', 'nonsense', 'A'.repeat(43)])('%j is exchanged for nothing', async (token) => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    expect(await refreshSession(system, origin, token)).toEqual({ kind: 'none' })
    // Neither kind of token does the work of the other.
    expect(await refreshSession(system, origin, tokens.access)).toEqual({ kind: 'none' })
    expect(await resumeSession(system, origin, tokens.refresh)).toBeUndefined()
    expect(await recorded(system)).toEqual(['session.started'])
  })

  test('a proof replaces the tokens; the old ones are refused, late ones with an alarm', async () => {
    const system = current()
    const { tokens, session } = await newSession(system, await anAccount(system))
    system.wait(minutes(3))
    const fresh = await renewSessionOf(system, session.id, 'TOTP')
    expect(await opens(system, tokens)).toBe(false)
    expect(await refreshSession(system, origin, tokens.refresh)).toEqual({ kind: 'none' })
    expect(await personWith(system, fresh.access)).toMatchObject({
      sessionId: session.id,
      provenAt: session.createdAt + minutes(3),
      secondFactorAt: session.createdAt + minutes(3),
    })
    expect(await recorded(system)).toEqual(['session.started'])

    system.wait(seconds(30))
    expect(await refreshSession(system, THIEF, tokens.refresh)).toEqual({ kind: 'reused' })
    expect(await opens(system, fresh)).toBe(false)
    expect(await recorded(system)).toEqual(['session.started', 'session.reuse-detected'])
  })

  test('a weaker factor does not hide that a stronger one was shown', async () => {
    const system = current()
    const account = await anAccount(system)
    const { session } = await newSession(system, account, {}, 'WEBAUTHN')
    system.wait(minutes(1))
    await renewSessionOf(system, session.id, 'BACKUP_CODE')
    system.wait(minutes(1))
    await renewSessionOf(system, session.id)
    const [after] = await listSessions(system.db, account.user.id, system.clock.now())
    expect(after).toMatchObject({
      secondFactor: 'WEBAUTHN',
      secondFactorAt: session.createdAt + minutes(1),
      provenAt: session.createdAt + minutes(2),
      generation: 3,
    })
  })

  test('presence: refused in an ended session', async () => {
    const system = current()
    const { session, person } = await newSession(system, await anAccount(system))
    await signOut(system, person)
    const proving = renewSessionOf(system, session.id, 'TOTP')
    await expect(proving).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('a proof and twenty exchanges at once leave one session that lives', async () => {
    const system = current()
    const { tokens, session } = await newSession(system, await anAccount(system))
    const [fresh] = await Promise.all([
      renewSessionOf(system, session.id, 'TOTP'),
      ...Array.from({ length: 20 }, () => refreshSession(system, origin, tokens.refresh)),
    ])
    expect(await opens(system, fresh)).toBe(true)
    expect(await recorded(system)).not.toContain('session.reuse-detected')
  })

  test('a browser that was never used before is told; the first one of all is not', async () => {
    const system = current()
    const account = await anAccount(system)
    const other = { browser: 'f'.repeat(64) as Sha256, device: 'Firefox en Linux' }
    const devices = [{}, {}, other, other, { browser: null }]
    const isNew: boolean[] = []
    for (const from of devices) isNew.push((await newSession(system, account, from)).isNewDevice)
    expect(isNew).toEqual([false, false, true, false, true])
    expect(await alertsIn(system)).toMatchObject([
      {
        kind: 'new-device',
        user_id: account.user.id,
        facts: JSON.stringify({ device: other.device, ip: origin.ip }),
      },
      { kind: 'new-device' },
    ])
  })

  test('new device: thirty sign-ins without a cookie in a day are one alert and one mail', async () => {
    const system = current()
    const account = await anAccount(system)
    await newSession(system, account, {})
    for (let turn = 0; turn < 30; turn += 1) {
      system.wait(minutes(1))
      await newSession(system, account, { browser: null, ip: `203.0.113.${turn}` })
    }
    const mails = () => system.db.selectFrom('outbox').select('subject').execute()
    expect(await alertsIn(system)).toMatchObject([{ kind: 'new-device', occurrences: 30 }])
    expect(await mails()).toHaveLength(1)
    // Another kind of device is another alert, mailed once the hour is over.
    system.wait(minutes(40))
    await newSession(system, account, { browser: null, device: 'Firefox en Linux' })
    expect(await alertsIn(system)).toHaveLength(2)
    expect(await mails()).toHaveLength(2)
  })

  test('tokens: only hashes are stored', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    const next = await refreshed(system, tokens.refresh)
    const rows = JSON.stringify([
      await system.db.selectFrom('session_tokens').selectAll().execute(),
      await system.db.selectFrom('sessions').selectAll().execute(),
      await system.log(),
    ])
    for (const token of [tokens.access, tokens.refresh, next.access, next.refresh])
      expect(rows).not.toContain(token)
  })
})
