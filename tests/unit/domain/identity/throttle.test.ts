import { describe, expect, test } from 'vitest'
import {
  ACCOUNT_FROM_NETWORK,
  type AttemptCount,
  type AttemptPolicy,
  decideAttempt,
} from '#server/domain/identity/attempts/throttle.ts'
import { after, type Duration, hours, minutes, seconds } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

/** Tries at these times after the morning; a number is how long to wait, `ok` that it passed. */
function outcomesAt(policy: AttemptPolicy, times: readonly Duration[]) {
  let count: AttemptCount | undefined
  return times.map((time) => {
    const decided = decideAttempt(count, policy, after(MORNING, time))
    count = decided.count
    const { decision } = decided
    return decision.allowed ? 'ok' : decision.retryAfter / 1000
  })
}

const never = seconds(0)

describe('a plain window', () => {
  const policy = { free: 2, window: minutes(15) }

  test('lets through so many, refuses until it ends, then begins anew', () => {
    const times = [never, minutes(1), minutes(2), minutes(14), minutes(15), minutes(15)]
    expect(outcomesAt(policy, times)).toEqual(['ok', 'ok', 780, 60, 'ok', 'ok'])
  })

  test('says once that it refuses', () => {
    let count: AttemptCount | undefined
    const first = Array.from({ length: 5 }, () => {
      const decided = decideAttempt(count, policy, MORNING)
      count = decided.count
      return decided.decision
    }).map((decision) => !decision.allowed && decision.isFirstRefusal)
    expect(first).toEqual([false, false, true, false, false])
  })
})

describe('waits that double', () => {
  test('30 s after five, 1 min after the next, 15 min at most', () => {
    const times: Duration[] = Array.from({ length: 5 }, () => never)
    let at = 0
    // Each time exactly when it is said to be worth it.
    for (const wait of [30, 60, 120, 240, 480, 900, 900, 900]) {
      times.push(at as Duration)
      at += wait * 1000
      times.push(at as Duration)
    }
    const expected = [30, 60, 120, 240, 480, 900, 900, 900].flatMap((wait) => [wait, 'ok'])
    expect(outcomesAt(ACCOUNT_FROM_NETWORK, times)).toEqual([
      ...Array<string>(5).fill('ok'),
      ...expected,
    ])
  })

  test('an attempt while one must wait makes the wait no longer', () => {
    const times = [...Array<Duration>(5).fill(never), seconds(10), seconds(20), seconds(30)]
    expect(outcomesAt(ACCOUNT_FROM_NETWORK, times).slice(5)).toEqual([20, 10, 'ok'])
  })

  test('an hour without an attempt forgets all of them', () => {
    const pause = (hours(1) + 30_000) as Duration
    const times = [...Array<Duration>(5).fill(never), ...Array<Duration>(5).fill(pause)]
    expect(outcomesAt(ACCOUNT_FROM_NETWORK, times)).toEqual(Array(10).fill('ok'))
    const almost = (pause - 1) as Duration
    const again = [...Array<Duration>(5).fill(never), almost, almost]
    expect(outcomesAt(ACCOUNT_FROM_NETWORK, again).slice(5)).toEqual(['ok', 60])
  })
})

describe('a clock that is set back by a year', () => {
  const year = hours(24 * 365)

  test('a window ends after its length', () => {
    const policy = { free: 2, window: minutes(15) }
    const times = [year, year, never, minutes(14), minutes(15)]
    expect(outcomesAt(policy, times)).toEqual(['ok', 'ok', 900, 60, 'ok'])
  })

  test('a wait is no longer than the longest', () => {
    const times = [...Array<Duration>(6).fill(year), never, minutes(14), minutes(15)]
    expect(outcomesAt(ACCOUNT_FROM_NETWORK, times)).toEqual([
      ...Array<string>(5).fill('ok'),
      ...[30, 900, 60, 'ok'],
    ])
  })
})
