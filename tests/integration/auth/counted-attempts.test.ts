import { expect, test } from 'vitest'
import type { AttemptPolicy } from '#server/domain/identity/attempts/throttle.ts'
import type { AttemptLimit } from '#server/domain/identity/attempts/throttle-keys.ts'
import { minutes } from '#server/domain/time.ts'
import { consumeLimitedAttempt } from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

const QUARTER = minutes(15)
const limit = (key: string, policy: AttemptPolicy): AttemptLimit =>
  ({ key, policy }) as AttemptLimit
const TIGHT = limit('tight', { free: 2, window: QUARTER })
const WIDE = limit('wide', { free: 4, window: QUARTER })
/** Lets one more attempt pass after each wait. */
const SLOW = limit('slow', {
  free: 1,
  window: QUARTER,
  delay: { first: minutes(1), longest: QUARTER },
})

onEachSystem('limited attempts', (current) => {
  const attempt = (limits: readonly AttemptLimit[], options = {}) =>
    consumeLimitedAttempt(current().db, limits, current().clock.now(), options)

  test('the tightest limit says how many attempts are left, in any order', async () => {
    expect(await attempt([WIDE, TIGHT])).toEqual({ allowed: true, left: 1 })
    expect(await attempt([TIGHT, WIDE])).toEqual({ allowed: true, left: 0 })
    expect(await attempt([WIDE])).toEqual({ allowed: true, left: 1 })
  })

  test('an attempt that is allowed after a wait leaves none, not less than none', async () => {
    expect(await attempt([SLOW])).toEqual({ allowed: true, left: 0 })
    current().wait(minutes(1))
    expect(await attempt([SLOW])).toEqual({ allowed: true, left: 0 })
  })

  test('the limit that refuses is named, and the others are not charged', async () => {
    await attempt([TIGHT])
    await attempt([TIGHT])
    expect(await attempt([TIGHT, WIDE])).toMatchObject({ allowed: false, refusedBy: TIGHT })
    expect(await attempt([WIDE, TIGHT])).toMatchObject({ allowed: false, refusedBy: TIGHT })
    expect(await attempt([WIDE])).toEqual({ allowed: true, left: 3 })
  })

  test('a refusal is not counted, except the first for those who log it', async () => {
    await attempt([TIGHT])
    await attempt([TIGHT])
    const refusals = []
    for (const options of [{}, {}, { countsFirstRefusal: true }, { countsFirstRefusal: true }, {}])
      refusals.push(await attempt([TIGHT], options))
    const isFirst = refusals.map((one) => !one.allowed && one.isFirstRefusal)
    expect(isFirst).toEqual([true, true, true, false, false])
    expect(refusals[0]).toMatchObject({ allowed: false, retryAfter: QUARTER })
  })
})
