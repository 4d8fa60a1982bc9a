import { expect, test } from 'vitest'
import { findAttempts } from '#server/db/sign-ins/attempts.ts'
import { minutes } from '#server/domain/time.ts'
import { type Budget, refundUnlessMade, releaseBudgets } from '#server/steps/sign-ins/budgets.ts'
import { consumeLimitedAttempt } from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { MORNING } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'

const policy = { free: 5, window: minutes(15) }
const NETWORK: Budget = { limit: 'network', key: 'network', policy, whenRight: 'refund' }
const ACCOUNT: Budget = { limit: 'account', key: 'account', policy, whenRight: 'forget' }
const BOTH = [NETWORK, ACCOUNT]

onEachDatabase('budgets of attempts', (current) => {
  /** After three attempts. */
  async function spent() {
    for (let made = 0; made < 3; made += 1) await consumeLimitedAttempt(current().db, BOTH, MORNING)
  }

  /** Undefined where nothing is counted. */
  async function counted() {
    const found = await findAttempts(current().db, ['network', 'account', 'other'])
    return ['network', 'account', 'other'].map((key) => found.get(key)?.attempts)
  }

  test('a right attempt gets back what it cost, or forgets all', async () => {
    await spent()
    await current().db.transaction((trx) => releaseBudgets(trx, BOTH))
    expect(await counted()).toEqual([2, undefined, undefined])
  })

  test('an attempt that was made, right or wrong, costs what it costs', async () => {
    await spent()
    const alsoBack = () => Promise.reject(new Error('nothing is given back'))
    expect(await refundUnlessMade(current().db, BOTH, Promise.resolve(false), alsoBack)).toBe(false)
    expect(await counted()).toEqual([3, 3, undefined])
  })

  test('one that could not be made is given back, and all that was counted for it', async () => {
    await spent()
    const other: Budget = { ...ACCOUNT, key: 'other' }
    await consumeLimitedAttempt(current().db, [other], MORNING)
    const busy = new Error('too many wait')
    const attempt = refundUnlessMade(current().db, BOTH, Promise.reject(busy), (trx) =>
      releaseBudgets(trx, [other]),
    )
    await expect(attempt).rejects.toBe(busy)
    expect(await counted()).toEqual([2, 2, undefined])
  })
})
