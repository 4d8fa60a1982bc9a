import { expect, test } from 'vitest'
import { WORKING_ROWS } from '#server/db/sign-ins/working-rows.ts'
import { before, days, hours, minutes } from '#server/domain/time.ts'
import { clearWorkingRows } from '#server/features/auth/clear-working-rows.ts'
import { refreshSession } from '#server/features/auth/refresh-session.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { signIn } from '#server/features/auth/sign-in.ts'
import { signOut } from '#server/features/auth/sign-out.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'
import { origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import {
  addWorkingRows,
  countWorkingRows,
  renewWorkingRows,
} from '#tests/support/office/expired-rows.ts'
import { anAccount } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function begin(system: TestSystem) {
  const office = await storedOffice(system.db, { sessionAbsolute: days(30), sessionIdle: days(10) })
  const user = await storedUser(system.db, office)
  return await system.db.transaction((trx) =>
    startSession(trx, {
      user,
      office,
      actor: origin,
      at: system.clock.now(),
      tokenKey: system.settings.tokenKey,
      secondFactor: null,
    }),
  )
}

const tokensLeft = async ({ db }: TestSystem) =>
  (await db.selectFrom('session_tokens').select('token_hash').execute()).length

onEachSystem('clearing expired rows', (current) => {
  test('a session that lives keeps every token, so that a copy is still found out', async () => {
    const system = current()
    const { tokens } = await begin(system)
    system.wait(minutes(20))
    expect((await refreshSession(system, origin, tokens.refresh)).kind).toBe('refreshed')
    system.wait(days(5))
    expect(await clearWorkingRows(system)).toBe(0)
    expect(await tokensLeft(system)).toBe(4)
  })

  test('the tokens of one that ended go after a day, and open nothing before', async () => {
    const system = current()
    const { tokens, person } = await begin(system)
    await signOut(system, person)
    system.wait(hours(23))
    expect(await clearWorkingRows(system)).toBe(0)
    expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
    system.wait(hours(2))
    expect(await clearWorkingRows(system)).toBe(2)
    expect(await clearWorkingRows(system)).toBe(0)
    expect(await tokensLeft(system)).toBe(0)
    // The owner of the session and the reason of its end stay.
    expect(await system.db.selectFrom('sessions').select('end_reason').execute()).toEqual([
      { end_reason: 'signed-out' },
    ])
  })

  test('counted attempts go when nothing is blocked any more', async () => {
    const system = current()
    const wrong = { email: 'nadie@notaria.example' as never, password: 'no es la contraseña' }
    await signIn(system, stranger(), wrong)
    expect(await clearWorkingRows(system)).toBe(0)
    system.wait(days(2))
    expect(await clearWorkingRows(system)).toBeGreaterThan(0)
    expect(await system.db.selectFrom('attempts').selectAll().execute()).toEqual([])
  })

  test('many rows: deleted some at a time, until none is left', { timeout: 60_000 }, async () => {
    const system = current()
    const made = await addWorkingRows(system, await anAccount(system), 1_100)
    system.wait(days(2))
    const deleted: unknown[] = []
    const transaction: TestSystem['db']['transaction'] = async (work) => {
      const result = await system.db.transaction(work)
      deleted.push(result)
      return result
    }
    expect(await clearWorkingRows({ ...system, db: { ...system.db, transaction } })).toBe(made)
    expect(await countWorkingRows(system.db)).toBe(0)
    expect(deleted).toEqual([2, ...Array(5).fill([500, 500, 100]).flat()])
  })

  test('rows: stay when the process stops', async () => {
    const system = current()
    const made = await addWorkingRows(system, await anAccount(system), 3)
    system.wait(days(2))
    expect(await clearWorkingRows(system, AbortSignal.abort())).toBe(0)
    expect(await countWorkingRows(system.db)).toBe(made)
  })

  test('rows that are no longer over when they are deleted: stay', async () => {
    const system = current()
    await addWorkingRows(system, await anAccount(system), 3)
    system.wait(days(2))
    const now = system.clock.now()
    const over = { now, limit: before(now, days(1)) }
    const listed = await Promise.all(
      WORKING_ROWS.map(async (rows) => ({ rows, keys: await rows.list(system.db, over, 10) })),
    )
    await renewWorkingRows(system)
    const [tokens, all] = [2, await countWorkingRows(system.db)]
    for (const { rows, keys } of listed.filter(({ keys }) => keys.length > 0))
      await system.db.transaction((trx) => rows.delete(trx, keys, over))
    expect(await countWorkingRows(system.db)).toBe(all - tokens)
  })

  test('nothing is over: no transaction is opened', async () => {
    const system = current()
    await addWorkingRows(system, await anAccount(system), 3)
    const transaction = () => Promise.reject(new Error('a transaction was opened'))
    expect(await clearWorkingRows({ ...system, db: { ...system.db, transaction } })).toBe(0)
  })

  test('two at once do no harm, and the log tells nothing of it', async () => {
    const system = current()
    const { person } = await begin(system)
    await signOut(system, person)
    system.wait(days(2))
    const events = (await system.log()).length
    const deleted = await Promise.all([clearWorkingRows(system), clearWorkingRows(system)])
    expect(deleted[0] + deleted[1]).toBe(2)
    expect(await system.log()).toHaveLength(events)
  })
})
