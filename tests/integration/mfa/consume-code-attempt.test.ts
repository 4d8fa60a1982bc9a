import { expect, test } from 'vitest'
import { insertKnownDevice } from '#server/db/sign-ins/known-devices.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { minutes } from '#server/domain/time.ts'
import {
  consumeCodeAttempt,
  consumeProofAttempt,
} from '#server/steps/sign-ins/consume-code-attempt.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const BROWSER = sha256('a browser')

onEachSystem('attempts at the second factor', (current) => {
  const aUser = async (number = 12) =>
    storedUser(current().db, await storedOffice(current().db, { number }), ['NOTARY'])
  type User = Awaited<ReturnType<typeof aUser>>

  /** How many attempts are left after each of these; or the code of the refusal. */
  async function left(user: User, actor: Actor, count: number) {
    const found: unknown[] = []
    for (let turn = 0; turn < count; turn += 1)
      found.push(
        await consumeCodeAttempt(current(), actor, user, current().clock.now()).then(
          (spent) => spent.left,
          (error) => error.code,
        ),
      )
    return found
  }

  const limits = async (user: User, actor: Actor) =>
    (await consumeCodeAttempt(current(), actor, user, current().clock.now())).budgets.map(
      ({ limit, whenRight }) => [limit, whenRight],
    )

  const throttled = async () =>
    (await current().log()).filter(({ action }) => action === 'session.throttled')

  test('a browser that is new has those of its network and of all networks', async () => {
    const user = await aUser()
    for (const actor of [stranger({ browser: null }), stranger({ browser: BROWSER })])
      expect(await limits(user, actor)).toEqual([
        ['network', 'forget'],
        ['account-anywhere', 'refund'],
      ])
    expect(await left(user, stranger(), 4)).toEqual([2, 1, 0, 'too-many-attempts'])
  })

  test('a browser that signed in before has its own, which strangers cannot use up', async () => {
    const user = await aUser()
    const at = current().clock.now()
    await current().db.transaction((trx) =>
      insertKnownDevice(trx, { userId: user.id, browser: BROWSER, device: 'Firefox', at }),
    )
    expect(await left(user, stranger({ browser: null }), 6)).toContain('too-many-attempts')
    const known = stranger({ browser: BROWSER })
    expect(await limits(user, known)).toEqual([['device', 'forget']])
    expect(await left(user, known, 10)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0, 'too-many-attempts'])
    expect(await left(await aUser(13), known, 1)).toEqual([4])
  })

  test('a refusal is logged once a minute, and warns the user', async () => {
    const user = await aUser()
    await left(user, stranger(), 9)
    expect(await throttled()).toMatchObject([
      {
        subject: { kind: 'user', id: user.id },
        details: { limit: 'network', step: 'second-factor' },
      },
    ])
    const alerts = current().db.selectFrom('alerts').select(['kind', 'user_id'])
    expect(await alerts.execute()).toEqual([{ kind: 'second-factor-failures', user_id: user.id }])
  })

  test('the first refusal of a step-up is logged and warns the user, and again after an allowed one', async () => {
    const user = await aUser()
    const person = asPerson(user)
    const prove = () =>
      consumeProofAttempt(current().db, person, user, current().clock.now()).then(
        (spent) => spent.left,
        (error) => error.code,
      )
    const found: unknown[] = []
    for (let turn = 0; turn < 8; turn += 1) found.push(await prove())
    const refused = 'too-many-attempts'
    expect(found).toEqual([4, 3, 2, 1, 0, refused, refused, refused])
    expect(await throttled()).toHaveLength(1)
    const alerts = current().db.selectFrom('alerts').select(['kind', 'user_id'])
    expect(await alerts.execute()).toEqual([{ kind: 'second-factor-failures', user_id: user.id }])
    current().wait(minutes(15))
    expect(await prove()).toBe(4)
  })
})
