import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { milliseconds, seconds } from '#server/domain/time.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

/** Counts to `last`: some 100 ns a number, in one step of the engine. */
const counting = (db: Database, last: number) =>
  db
    .selectFrom(
      sql<{ count: number }>`(with recursive n(i) as (
        select 1 union all select i + 1 from n where i < ${sql.lit(last)}
      ) select count(*) as count from n)`.as('counted'),
    )
    .select('count')
    .compile()

/** Longer than any test waits for it, and over before the database closes. */
const SLOW = 1_000_000
/** PostgreSQL ends it after a second at the earliest. */
const ENDLESS = 1_000_000_000

onEachSystem('read apart', (current) => {
  const patient = seconds(30)

  test('has the rows that were committed before it, and tells how long it took', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const query = db.selectFrom('offices').select('number').where('id', '=', office.id).compile()
    const read = await db.readApart(query, patient)
    expect(read).toEqual({ rows: [{ number: office.number }], took: expect.any(Number) })
    expect(read?.took).toBeGreaterThan(0)
  })

  test('is given up when it is late; the next one runs', async () => {
    const { db } = current()
    const began = performance.now()
    const slow = counting(db, db.dialect === 'postgres' ? ENDLESS : SLOW)
    expect(await db.readApart(slow, milliseconds(5))).toBeUndefined()
    const waited = performance.now() - began
    expect(await db.readApart(counting(db, 3), patient)).toMatchObject({ rows: [{ count: 3 }] })
    expect(waited).toBeLessThan(performance.now() - began)
  })

  test('others run while it does', async () => {
    const { db } = current()
    await db.readApart(counting(db, 1), patient)
    let isOver = false
    let turns = 0
    const read = db.readApart(counting(db, SLOW), patient).finally(() => {
      isOver = true
    })
    while (!isOver) {
      turns += 1
      await pause(1)
    }
    expect(await read).toMatchObject({ rows: [{ count: SLOW }] })
    expect(turns).toBeGreaterThan(5)
  })

  test('a query that fails is an error, and the next one runs', async () => {
    const { db } = current()
    const wrong = db.selectFrom(sql<{ a: 1 }>`no_such_table`.as('t')).select('a').compile()
    await expect(db.readApart(wrong, patient)).rejects.toThrow(/no_such_table/)
    expect(await db.readApart(counting(db, 2), patient)).toMatchObject({ rows: [{ count: 2 }] })
  })

  test('cannot write', async () => {
    const { db } = current()
    const write = { ...counting(db, 1), sql: 'delete from offices', parameters: [] }
    await expect(db.readApart(write, patient)).rejects.toThrow(/read.?only|returns? data/)
  })

  test('inside of a transaction: refused', async () => {
    const { db } = current()
    const inside = db.transaction(() => db.readApart(counting(db, 1), patient))
    await expect(inside).rejects.toThrow('inside of a transaction')
  })
})
