import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withReserve } from '#server/db/full-disk.ts'
import { onEachDatabase } from '#tests/support/database.ts'

const full = (code: string) => Object.assign(new Error('full'), { code })

test.each(['SQLITE_FULL', '53100'])('%s: runs once more if room was kept aside', async (code) => {
  let runs = 0
  const run = async () => {
    runs += 1
    if (runs === 1) throw full(code)
    return 'done'
  }
  expect(await withReserve(run, () => true)).toBe('done')
  expect(runs).toBe(2)
})

test('full disk: is a refusal without a reserve, or when the reserve does not help', async () => {
  const run = () => Promise.reject(full('SQLITE_FULL'))
  for (const spendReserve of [() => false, () => true])
    await expect(withReserve(run, spendReserve)).rejects.toMatchObject({ code: 'disk-full' })
})

test('another error is passed on, and the reserve is kept', async () => {
  const spendReserve = () => {
    throw new Error('it was spent')
  }
  const run = () => Promise.reject(full('SQLITE_CONSTRAINT'))
  await expect(withReserve(run, spendReserve)).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
})

onEachDatabase('full database', (database, dialect) => {
  const insertLitter = async (bytes: number) => {
    await database().db.transaction(async (trx) => {
      if (dialect === 'sqlite') await sql`pragma max_page_count = 1`.execute(trx)
      else await sql`do $$ begin raise exception using errcode = 'disk_full'; end $$`.execute(trx)
      await sql`create table litter (content text)`.execute(trx)
      await sql`insert into litter values (${'x'.repeat(bytes)})`.execute(trx)
    })
  }

  test('a transaction is refused as a whole, and the next one works', async () => {
    const { db } = database()
    await expect(insertLitter(100_000)).rejects.toMatchObject({ code: 'disk-full' })
    await db.transaction(async (trx) => {
      if (dialect === 'sqlite') await sql`pragma max_page_count = 1073741823`.execute(trx)
      await sql`create table litter (content text)`.execute(trx)
    })
  })
})
