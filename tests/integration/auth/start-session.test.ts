import { expect, test } from 'vitest'
import { listGenerations } from '#server/db/sign-ins/session-tokens.ts'
import { endSession, findSession } from '#server/db/sign-ins/sessions.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Origin } from '#server/domain/identity/actor.ts'
import { before, minutes } from '#server/domain/time.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { renewSession } from '#server/steps/sign-ins/start-session.ts'
import { origin } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { anAccount, newSession, renewSessionOf } from '#tests/support/office/sessions.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const BROWSERS = [sha256('one'), sha256('two')] as const

onEachSystem('session', (current) => {
  test('begins with one generation of tokens, which open it', async () => {
    const account = await anAccount(current())
    const { session, tokens, person } = await newSession(current(), account)
    expect(person).toMatchObject({ userId: account.user.id, sessionId: session.id })
    expect(await listGenerations(current().db, session.id, 1)).toMatchObject([
      { number: 1, cause: 'sign-in', replacedAt: null },
    ])
    expect(await resumeSession(current(), origin, tokens.access)).toMatchObject({
      sessionId: session.id,
    })
  })

  test('from a new browser warns a user who has others, once for each', async () => {
    const account = await anAccount(current())
    const isNew = async (from: Partial<Origin>) =>
      (await newSession(current(), account, from)).isNewDevice
    const [one, two] = BROWSERS
    // The first browser of a user is no news.
    expect(await isNew({ browser: null })).toBe(false)
    expect(await isNew({ browser: one })).toBe(false)
    expect(await isNew({ browser: one })).toBe(false)
    expect(await listAlertRows(current())).toEqual([])
    expect(await isNew({ browser: two, device: 'Firefox en Linux' })).toBe(true)
    expect(await isNew({ browser: two, device: 'Firefox en Linux' })).toBe(false)
    expect(await isNew({ browser: null, device: 'Un programa' })).toBe(true)
    const alerts = await listAlertRows(current())
    expect(alerts).toMatchObject(
      alerts.map(() => ({ kind: 'new-device', user_id: account.user.id, severity: 'warning' })),
    )
    expect(alerts.map(({ facts }) => JSON.parse(facts).device).toSorted()).toEqual([
      ...['Firefox en Linux', 'Un programa'],
    ])
  })

  test('renewed: only the new tokens open it', async () => {
    const { session, tokens } = await newSession(current(), await anAccount(current()))
    current().wait(minutes(1))
    const renewed = await renewSessionOf(current(), session.id)
    expect(await resumeSession(current(), origin, tokens.access)).toBeUndefined()
    expect(await resumeSession(current(), origin, renewed.access)).toMatchObject({
      ...{ sessionId: session.id, provenAt: current().clock.now() },
    })
    const at = current().clock.now()
    expect(await listGenerations(current().db, session.id, 1)).toMatchObject([
      { number: 1, cause: 'sign-in', replacedAt: at },
      { number: 2, cause: 'step-up', replacedAt: null },
    ])
  })

  test('renewed: keeps the stronger second factor, and when one was last used', async () => {
    const { session } = await newSession(current(), await anAccount(current()))
    const factor = async () => {
      const found = await findSession(current().db, session.id)
      return [found?.secondFactor, found?.secondFactorAt]
    }
    const now = () => current().clock.now()
    await renewSessionOf(current(), session.id)
    expect(await factor()).toEqual([null, null])
    await renewSessionOf(current(), session.id, 'TOTP')
    const first = now()
    expect(await factor()).toEqual(['TOTP', first])
    current().wait(minutes(1))
    await renewSessionOf(current(), session.id)
    expect(await factor()).toEqual(['TOTP', first])
    await renewSessionOf(current(), session.id, 'WEBAUTHN')
    expect(await factor()).toEqual(['WEBAUTHN', now()])
  })

  test('that is over, or never was, is not renewed', async () => {
    const account = await anAccount(current())
    const ended = await newSession(current(), account)
    const late = await newSession(current(), account)
    const { db, settings } = current()
    await db.transaction(async (trx) => {
      const end = { at: current().clock.now(), by: account.user.id, reason: 'signed-out' } as const
      await endSession(trx, ended.session.id, end)
    })
    const renew = (sessionId: typeof late.session.id, at = late.session.expiresAt) =>
      db.transaction((trx) =>
        renewSession(trx, {
          ...{ sessionId, at, tokenKey: settings.tokenKey, secondFactor: null },
        }),
      )
    const refused = { code: 'not-signed-in' }
    await expect(renew(late.session.id)).rejects.toMatchObject(refused)
    await expect(renew(ended.session.id, current().clock.now())).rejects.toMatchObject(refused)
    const unknown = late.session.id.replace(/^./, (first) => (first === '0' ? '1' : '0'))
    await expect(renew(unknown as typeof late.session.id)).rejects.toMatchObject(refused)
    const earlier = before(late.session.expiresAt, minutes(1))
    expect(await renew(late.session.id, earlier)).toMatchObject({
      expiresAt: late.session.expiresAt,
    })
  })

  test('renewed twice at once: the tokens of one open it', async () => {
    const { session } = await newSession(current(), await anAccount(current()))
    const both = await Promise.all([1, 2].map(() => renewSessionOf(current(), session.id)))
    const open = await Promise.all(
      both.map(async ({ access }) => Boolean(await resumeSession(current(), origin, access))),
    )
    expect(open.filter(Boolean)).toHaveLength(1)
    expect(await listGenerations(current().db, session.id, 1)).toMatchObject([
      ...[{ number: 1 }, { number: 2 }, { number: 3, replacedAt: null }],
    ])
  })
})
