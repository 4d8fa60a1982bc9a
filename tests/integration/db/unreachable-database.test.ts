import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { openDatabase } from '#server/db/database.ts'
import { PATIENT, postgresDialect } from '#server/db/postgres-dialect.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import { cutConnections, STARTUP } from '#tests/support/cut-connections.ts'
import { emptyDatabase } from '#tests/support/database.ts'
import { freePort } from '#tests/support/processes/server-process.ts'

/** A busy machine takes its time to connect; what is cut off is noticed soon. */
const LIMITS = { statement: 30_000, idle: 30_000, silence: 400, connection: 2_000 }

/** A pool whose connections can be silenced, for the running test. */
async function aPool(limits = LIMITS, url?: string) {
  const database = url ? { url, end: async () => {} } : await emptyDatabase('postgres')
  const way = await cutConnections(database.url)
  const pool = new Kysely<object>({ dialect: postgresDialect(way.url, limits) })
  return {
    ...{ pool, way, url: database.url },
    async [Symbol.asyncDispose]() {
      way.close()
      await pool.destroy()
      await database.end()
    },
  }
}

const one = (pool: Kysely<object>) => sql<{ one: number }>`select 1 as one`.execute(pool)
const sleep = (pool: Kysely<object>, seconds: number) =>
  sql`select pg_sleep(${seconds})`.execute(pool)

test('connection on which nothing comes: its query ends, and the next one has another connection', async () => {
  await using current = await aPool()
  const { pool, way } = current
  await one(pool)
  way.silence()
  const began = performance.now()
  await expect(one(pool)).rejects.toBeInstanceOf(DatabaseUnreachable)
  expect(performance.now() - began).toBeLessThan(5_000)
  expect((await one(pool)).rows).toEqual([{ one: 1 }])
})

test('transaction whose connection falls silent: ends, and leaves no connection that is in use', async () => {
  await using current = await aPool()
  const { pool, way } = current
  const work = pool.transaction().execute(async (trx) => {
    await one(trx)
    way.silence()
    await one(trx)
  })
  await expect(work).rejects.toBeInstanceOf(DatabaseUnreachable)
  const rest = await Promise.all(Array.from({ length: 10 }, () => one(pool)))
  expect(rest).toHaveLength(10)
})

test('no connection is free in time: the query does not wait for one', async () => {
  await using current = await aPool({ ...LIMITS, silence: 10_000 })
  const { pool } = current
  const busy = Array.from({ length: 10 }, () => sleep(pool, 4))
  await expect(one(pool)).rejects.toBeInstanceOf(DatabaseUnreachable)
  await Promise.all(busy)
})

test('pool without limits: a statement may take longer than a connection may be silent', async () => {
  await using current = await aPool(PATIENT)
  await sleep(current.pool, 1)
  await using impatient = await aPool()
  await expect(sleep(impatient.pool, 1)).rejects.toBeInstanceOf(DatabaseUnreachable)
})

test('pool without limits: the limit that a database gives its users does not hold', async () => {
  await using current = await aPool(PATIENT)
  const { pool } = current
  const named = await sql<{ name: string }>`select current_database() as name`.execute(pool)
  const name = sql.id(named.rows[0]?.name ?? '')
  await sql`alter database ${name} set statement_timeout = '100ms'`.execute(pool)
  await using later = await aPool(PATIENT, current.url)
  await sleep(later.pool, 0.5)
})

test('PostgreSQL does not listen: pages and forms answer 503, and do not deny what was done before', async () => {
  const db = openDatabase(`postgres://ana@127.0.0.1:${await freePort()}/rubrica`)
  const read = () => db.selectFrom('offices').select('id').execute()
  await expect(orErrorPage(read())).rejects.toMatchObject({
    data: {
      code: 'database-unreachable',
      sentence: expect.stringContaining('revise si ya está hecho'),
    },
    init: { status: 503, headers: { 'Retry-After': '10' } },
  })
  const stored = db.transaction((trx) => trx.deleteFrom('offices').execute())
  expect(await refusalOf(stored)).toMatchObject({ ok: false, code: 'database-unreachable' })
  await db.close()
})

test('query that is wrong: stays the error that it is', async () => {
  await using current = await aPool()
  const wrong = sql`select no_such_column`.execute(current.pool)
  await expect(wrong).rejects.toMatchObject({ code: '42703' })
  await expect(orErrorPage(wrong)).rejects.toMatchObject({ code: '42703' })
})

/** By which a server, or a pooler before it, ends a connection. */
const LAST_WORDS = [
  ...['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04', '53300'],
]

test.each(LAST_WORDS)(
  'connection that ends with %s: as one that is lost, and the next query has another',
  async (state) => {
    await using current = await aPool({ ...LIMITS, silence: 10_000, connection: 10_000 })
    const { pool, way } = current
    await one(pool)
    way.endNext(state, 'select 1')
    await expect(orErrorPage(one(pool))).rejects.toMatchObject({
      data: { code: 'database-unreachable' },
      init: { status: 503 },
    })
    expect((await one(pool)).rows).toEqual([{ one: 1 }])
  },
)

test.each(LAST_WORDS)('connection that is refused with %s: as one that is lost', async (state) => {
  await using current = await aPool({ ...LIMITS, silence: 10_000, connection: 10_000 })
  const { pool, way } = current
  way.endNext(state, STARTUP)
  await expect(one(pool)).rejects.toBeInstanceOf(DatabaseUnreachable)
  expect((await one(pool)).rows).toEqual([{ one: 1 }])
})
