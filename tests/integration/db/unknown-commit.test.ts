import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { answerTo } from '#app/http/problems.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { openEventQueue } from '#server/db/audit/event-queue.ts'
import { openDatabase } from '#server/db/database.ts'
import { insertOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import { Problem } from '#server/domain/problem.ts'
import { anOffice, storedOffice } from '#tests/support/builders.ts'
import { COMMIT, type Cut, cutConnections } from '#tests/support/cut-connections.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import { aView, soundLogs } from '#tests/support/office/log-writers.ts'

/** A database whose connections can be cut, for the running test. */
async function cuttable() {
  const database = await emptyDatabase('postgres')
  const way = await cutConnections(database.url)
  const db = openDatabase(way.url)
  return {
    ...{ db, direct: database.db, way },
    async [Symbol.asyncDispose]() {
      await db.close()
      way.close()
      await database.end()
    },
  }
}

const errorOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => Promise.reject(new Error('it was done')),
    (error) => error,
  )

test.each<Cut>(['before', 'after'])(
  'a connection that is lost %s a commit: the transaction runs once, and its end is called unknown',
  async (cut) => {
    await using current = await cuttable()
    const { db, direct, way } = current
    const office = await storedOffice(direct)
    let runs = 0
    way.cutNext(cut, COMMIT)
    const problem = await errorOf(
      db.transaction(async (trx) => {
        runs += 1
        await appendEvent(trx, aView(office))
      }),
    )
    expect(problem).toBeInstanceOf(Problem)
    expect(problem.code).toBe('commit-unknown')
    expect(answerTo(problem)).toMatchObject({ status: 503, headers: { 'Retry-After': '10' } })
    expect([runs, way.cuts()]).toEqual([1, 1])
    const stored = [...(await soundLogs(direct)).values()].flat()
    expect(stored).toHaveLength(cut === 'after' ? 1 : 0)
  },
)

test.each(['08000', '08003', '08006', '08007', '08P01', '57P01', '57P02', '57P05', '25P03'])(
  'a connection that ends with %s instead of an answer to the commit: its end is called unknown',
  async (state) => {
    await using current = await cuttable()
    const { db, direct, way } = current
    const office = await storedOffice(direct)
    let runs = 0
    way.endNext(state, COMMIT)
    const problem = await errorOf(
      db.transaction(async (trx) => {
        runs += 1
        await appendEvent(trx, aView(office))
      }),
    )
    expect(problem).toMatchObject({ code: 'commit-unknown' })
    expect(answerTo(problem)).toMatchObject({ status: 503, headers: { 'Retry-After': '10' } })
    expect([runs, way.cuts()]).toEqual([1, 1])
    expect(await soundLogs(direct)).toEqual(new Map())
  },
)

test('an event that stands alone, whose connection ends with 08P01: its end is called unknown', async () => {
  await using current = await cuttable()
  const { db, direct, way } = current
  const office = await storedOffice(direct)
  way.endNext('08P01', 'append_audit_events')
  const problem = await errorOf(openEventQueue(db).append(aView(office)))
  expect(problem).toMatchObject({ code: 'commit-unknown' })
  expect(answerTo(problem).status).toBe(503)
})

test('a connection that is lost before the commit is sent: the end is known', async () => {
  await using current = await cuttable()
  const { db, direct, way } = current
  const office = anOffice()
  way.cutNext('after', 'insert into "offices"')
  const error = await errorOf(
    db.transaction(async (trx) => {
      await insertOffice(trx, office)
      await appendEvent(trx, aView(office))
    }),
  )
  expect(error).toBeInstanceOf(DatabaseUnreachable)
  expect(way.cuts()).toBe(1)
  expect(await soundLogs(direct)).toEqual(new Map())
})

test('a transaction that the database refuses at its commit, or that had failed before it: the end is known', async () => {
  await using current = await cuttable()
  const { db } = current
  const office = anOffice()
  // An error that `work` swallows: the database answers COMMIT with a rollback, or does not come to it.
  const swallowed = async (trx: Transaction) => {
    await insertOffice(trx, office)
    await insertOffice(trx, office).catch(() => {})
  }
  const withEvent = async (trx: Transaction) => {
    await swallowed(trx)
    await appendEvent(trx, aView(office))
  }
  // Fails in the message of COMMIT.
  const refused = async (trx: Transaction) => {
    await insertOffice(trx, office)
    await appendEvent(trx, aView(office))
    await sql`alter table audit_events add constraint early check (at < 0)`.execute(trx)
  }
  for (const work of [swallowed, withEvent, refused])
    expect(await errorOf(db.transaction(work))).not.toBeInstanceOf(Problem)
  expect(await db.selectFrom('offices').select('id').execute()).toEqual([])
})
