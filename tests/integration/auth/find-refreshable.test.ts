import { expect, test } from 'vitest'
import { replaceUserState } from '#server/db/people/users.ts'
import { hours, minutes } from '#server/domain/time.ts'
import { findRefreshable } from '#server/features/auth/find-refreshable.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { anAccount, newSession, personWith } from '#tests/support/office/sessions.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('finding a refreshable session', (current) => {
  test('a session whose access ran out is live, and looking at it changes nothing', async () => {
    const system = current()
    const office = { sessionIdle: minutes(30), sessionAbsolute: hours(12) }
    const { tokens, session } = await newSession(system, await anAccount(system, office))
    const before = await system.log()
    system.wait(minutes(20))
    const live = { sessionId: session.id, state: 'live' }
    expect(await findRefreshable(system, tokens.refresh)).toEqual(live)
    // Looking did not keep it from resting.
    system.wait(minutes(10))
    expect(await findRefreshable(system, tokens.refresh)).toEqual({ ...live, state: 'over' })
    expect(await system.log()).toEqual(before)
  })

  test('sign-in: an abandoned one, or that of a suspended user, is over', async () => {
    const system = current()
    const account = await anAccount(system)
    const [left, other] = [await newSession(system, account), await newSession(system, account)]
    await signOut(system, await personWith(system, left.tokens.access))
    expect((await findRefreshable(system, left.tokens.refresh))?.state).toBe('over')
    expect((await findRefreshable(system, other.tokens.refresh))?.state).toBe('live')
    await system.db.transaction((trx) =>
      replaceUserState(trx, account.user.id, 'active', 'suspended', system.clock.now()),
    )
    expect((await findRefreshable(system, other.tokens.refresh))?.state).toBe('over')
  })

  test('none for an access token, an unknown token or no token', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    for (const token of [tokens.access, 'A'.repeat(43), 'x', '', undefined])
      expect(await findRefreshable(system, token)).toBeUndefined()
  })
})
