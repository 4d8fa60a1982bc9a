import { describe, expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import type { Database } from '#server/db/database.ts'
import type { Origin } from '#server/domain/identity/actor.ts'
import { FIRSTS_A_MINUTE } from '#server/domain/identity/attempts/vain-attempts.ts'
import { after, days, hours, minutes, seconds, toTimestamp } from '#server/domain/time.ts'
import { clearWorkingRows } from '#server/features/auth/clear-working-rows.ts'
import { logVainAttempts } from '#server/features/auth/log-vain-attempts.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { consumeNetworkAttempt } from '#server/steps/sign-ins/consume-network-attempt.ts'
import { MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const EMAIL = 'ximena@notaria.example'
const UNKNOWN = 'nadie@notaria.example'

async function anOffice(system: TestSystem) {
  const office = await storedOffice(system.db)
  const hash = await system.passwords.hash('caballo correcto batería')
  return await storedUser(system.db, office, ['NOTARY'], { email: EMAIL }, hash)
}

const guess = (system: TestSystem, changes: Partial<Origin> = {}, email = EMAIL) =>
  signIn(system, stranger(changes), SignIn.parse({ email, password: 'mal' })).catch((error) => {
    expect(error).toMatchObject({ code: 'too-many-attempts' })
    return { kind: 'throttled' }
  })

const events = async (system: TestSystem) =>
  (await system.log()).map(({ action, details, subject }) => ({ action, details, subject }))

/** The same system with a count of its transactions. */
function countingTransactions(system: TestSystem) {
  let count = 0
  const transaction: Database['transaction'] = (work) => {
    count += 1
    return system.db.transaction(work)
  }
  const counted: TestSystem = { ...system, db: { ...system.db, transaction } }
  return { system: counted, count: () => count }
}

const at = (s: number) => toTimestamp(after(MORNING, seconds(s)))

onEachSystem('vain attempts', (current) => {
  test('the first one is an event, the others of its minute are one event', async () => {
    const system = current()
    const { id } = await anOffice(system)
    const subject = { kind: 'user', id }
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await guess(system)).toEqual({ kind: 'refused' })
      system.wait(seconds(10))
    }
    const first = { action: 'session.refused', subject, details: { reason: 'wrong-password' } }
    expect(await logVainAttempts(system)).toBe(0)
    expect(await events(system)).toEqual([first])
    system.wait(seconds(20))
    expect(await logVainAttempts(system)).toBe(1)
    const counted = { count: 3, first: at(10), last: at(30) }
    expect((await events(system)).slice(1)).toEqual([
      { ...first, details: { ...first.details, ...counted } },
    ])
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { kind: 'anonymous' },
      ip: stranger().ip,
      device: stranger().device,
      requestId: stranger().requestId,
      result: 'refused',
    })
    system.wait(minutes(2))
    expect(await logVainAttempts(system)).toBe(0)
    await guess(system)
    expect((await events(system)).at(-1)).toEqual(first)
  })

  test('an attack of an hour is one event a minute for the account that it locks', async () => {
    const system = current()
    await anOffice(system)
    for (let minute = 0; minute < 60; minute += 1) {
      for (let turn = 0; turn < 5; turn += 1) {
        const ip = `2001:db8:${(minute * 5 + turn).toString(16)}::1`
        await guess(system, { ip, browser: null })
        system.wait(seconds(12))
      }
      await logVainAttempts(system)
    }
    const log = await events(system)
    const throttled = log.filter(({ action }) => action === 'session.throttled')
    // 100 guesses in 20 minutes, then 40 minutes of refusals.
    expect(throttled.length).toBeGreaterThan(35)
    expect(throttled.length).toBeLessThanOrEqual(41)
    expect(throttled[0]?.details).toEqual({ limit: 'account-anywhere' })
    expect(throttled[2]?.details).toMatchObject({ limit: 'account-anywhere', count: 5 })
    const alerts = await system.db.selectFrom('alerts').selectAll().execute()
    expect(alerts).toMatchObject([{ kind: 'repeated-failures', occurrences: 1 }])
    expect(await system.db.selectFrom('outbox').selectAll().execute()).toHaveLength(1)
  }, 60_000)

  test('a refused attempt writes nothing', async () => {
    const { system, count } = countingTransactions(current())
    await anOffice(system)
    for (let turn = 0; turn < 6; turn += 1) await guess(system)
    const before = [count(), (await system.log()).length]
    for (let turn = 0; turn < 50; turn += 1)
      expect(await guess(system)).toEqual({ kind: 'throttled' })
    expect([count(), (await system.log()).length]).toEqual(before)
    system.wait(minutes(1))
    await logVainAttempts(system)
    expect((await events(system)).slice(-2)).toMatchObject([
      { details: { count: 4 } },
      { details: { limit: 'account', count: 50 } },
    ])
  })

  test('a refused attempt of a network writes nothing', async () => {
    const { system, count } = countingTransactions(current())
    const limit = { keyOf: (name: string) => name, ip: '203.0.113.9' }
    const policy = { free: 3, window: minutes(15) }
    const attempt = () => consumeNetworkAttempt(system.db, { ...limit, policy }, MORNING)
    for (let turn = 0; turn < 3; turn += 1) await attempt()
    const before = count()
    for (let turn = 0; turn < 9; turn += 1)
      await expect(attempt()).rejects.toMatchObject({ retryAfter: minutes(15) })
    expect(count()).toBe(before)
  })

  test('guesses of many addresses from many networks: the log has a bound', async () => {
    const system = current()
    await anOffice(system)
    const attempts = 3 * FIRSTS_A_MINUTE
    for (let turn = 0; turn < attempts; turn += 1)
      await guess(
        system,
        { ip: `2001:db8:${turn.toString(16)}::1` },
        `persona${turn}@notaria.example`,
      )
    expect(await events(system)).toHaveLength(FIRSTS_A_MINUTE)
    system.wait(minutes(1))
    expect(await logVainAttempts(system)).toBe(1)
    expect((await events(system)).at(-1)).toEqual({
      action: 'session.refused',
      subject: { kind: 'nothing' },
      details: {
        reason: 'unknown-account',
        networks: 'several',
        count: attempts - FIRSTS_A_MINUTE,
        first: toTimestamp(MORNING),
        last: toTimestamp(MORNING),
      },
    })
  }, 60_000)

  test('an unknown account and an existing one take the same statements', async () => {
    const { system, count } = countingTransactions(current())
    await anOffice(system)
    const transactionsOf = async (email: string, ip: string) => {
      const counts: number[] = []
      for (let turn = 0; turn < 8; turn += 1) {
        const before = count()
        await guess(system, { ip, browser: null }, email)
        counts.push(count() - before)
      }
      return counts
    }
    const existing = await transactionsOf(EMAIL, '203.0.113.1')
    expect(await transactionsOf(UNKNOWN, '203.0.113.2')).toEqual(existing)
    // One counts the attempt and, of the first, one logs it; refused ones write nothing but the first event.
    expect(existing).toEqual([2, 1, 1, 1, 1, 1, 0, 0])
  })

  test('a user is warned although the process crashes after the refusal', async () => {
    const system = current()
    const { id } = await anOffice(system)
    for (let turn = 0; turn < 6; turn += 1) await guess(system)
    for (let turn = 0; turn < 6; turn += 1) await guess(system, {}, UNKNOWN)
    const restarted: TestSystem = { ...system, memory: createMemory() }
    await logVainAttempts(restarted)
    await logVainAttempts(restarted)
    const alerts = await system.db.selectFrom('alerts').selectAll().execute()
    expect(alerts).toMatchObject([{ kind: 'repeated-failures', user_id: id, occurrences: 1 }])
  })

  test('after a crash only counts of the last minute are lost', async () => {
    const system = current()
    await anOffice(system)
    for (let turn = 0; turn < 4; turn += 1) await guess(system)
    const restarted: TestSystem = { ...system, memory: createMemory() }
    system.wait(minutes(1))
    expect(await logVainAttempts(restarted)).toBe(0)
    expect(await guess(restarted)).toEqual({ kind: 'refused' })
    // The guesses themselves are not forgotten.
    expect(await guess(restarted)).toEqual({ kind: 'throttled' })
    expect((await events(system)).map(({ action }) => action)).toEqual([
      'session.refused',
      'session.refused',
      'session.throttled',
    ])
  })

  test('at the end of a process its counts are kept for the next one', async () => {
    const system = current()
    await anOffice(system)
    for (let turn = 0; turn < 4; turn += 1) await guess(system)
    expect(await logVainAttempts(system, AbortSignal.abort())).toBe(0)
    const next: TestSystem = { ...system, memory: createMemory() }
    system.wait(minutes(1))
    expect(await logVainAttempts(next)).toBe(1)
    expect((await events(system)).at(-1)).toMatchObject({ details: { count: 3 } })
  })

  test('a count that could not be written is written later', async () => {
    const system = current()
    await anOffice(system)
    for (let turn = 0; turn < 4; turn += 1) await guess(system)
    system.wait(minutes(1))
    const transaction = () => Promise.reject(new Error('the database is away'))
    const broken = { ...system, db: { ...system.db, transaction } }
    await expect(logVainAttempts(broken)).rejects.toThrow('away')
    system.wait(minutes(1))
    expect(await logVainAttempts(system)).toBe(1)
    expect((await events(system)).at(-1)).toMatchObject({ details: { count: 3 } })
  })

  test('a clock that was set back does not silence the log', async () => {
    const system = current()
    await anOffice(system)
    system.wait(hours(5))
    for (let turn = 0; turn < 2; turn += 1) await guess(system)
    system.wait(hours(-4) as never)
    expect(await logVainAttempts(system)).toBe(1)
  })

  test('rows of attempts that are over are deleted, and those that wait are not', async () => {
    const system = current()
    await anOffice(system)
    for (let turn = 0; turn < 3; turn += 1) await guess(system)
    await logVainAttempts(system, AbortSignal.abort())
    const rows = () => system.db.selectFrom('vain_attempts').select('attempts').execute()
    system.wait(days(2))
    await clearWorkingRows(system)
    expect(await rows()).toEqual([{ attempts: 2 }])
    await logVainAttempts(system)
    system.wait(days(2))
    await clearWorkingRows(system)
    expect(await rows()).toEqual([])
  })

  describe('two processes', () => {
    test('count together: one event a minute', async () => {
      const one = current()
      await anOffice(one)
      const other: TestSystem = { ...one, memory: createMemory() }
      for (let turn = 0; turn < 2; turn += 1) {
        await guess(one)
        await guess(other)
      }
      expect(await events(one)).toHaveLength(1)
      one.wait(minutes(1))
      const logged = await Promise.all([logVainAttempts(one), logVainAttempts(other)])
      one.wait(minutes(1))
      logged.push(await logVainAttempts(one), await logVainAttempts(other))
      const counts = (await events(one)).slice(1).map(({ details }) => Number(details.count))
      expect(logged.reduce((sum, count) => sum + count, 0)).toBe(counts.length)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
      expect(counts.length).toBeLessThanOrEqual(2)
    })

    test('twenty at once at one key: one event, and every attempt is counted', async () => {
      const one = current()
      await anOffice(one)
      const other: TestSystem = { ...one, memory: createMemory() }
      await Promise.all(
        Array.from({ length: 20 }, (_, turn) => guess(turn % 2 === 0 ? one : other)),
      )
      const first = await events(one)
      expect(first.map(({ action }) => action).toSorted()).toEqual([
        'session.refused',
        'session.throttled',
      ])
      one.wait(minutes(1))
      await Promise.all([logVainAttempts(one), logVainAttempts(other)])
      one.wait(minutes(1))
      await logVainAttempts(one)
      const total = (await events(one)).reduce(
        (sum, { details }) => sum + Number(details.count ?? 1),
        0,
      )
      expect(total).toBe(20)
    })
  })
})
