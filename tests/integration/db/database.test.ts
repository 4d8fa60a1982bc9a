import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { findOffice, insertOffice, listOffices, replaceOffice } from '#server/db/people/offices.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import { anOffice, storedOffice, storedUser } from '#tests/support/builders.ts'
import { emptyDatabase, onEachDatabase } from '#tests/support/database.ts'

onEachDatabase('the database', (current, dialect) => {
  test('transaction: committed rows stay, those of a failed one do not', async () => {
    const { db } = current()
    const kept = anOffice({ number: 1 })
    await db.transaction((trx) => insertOffice(trx, kept))
    const broken = db.transaction(async (trx) => {
      await insertOffice(trx, anOffice({ number: 2 }))
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    expect(await listOffices(db)).toEqual([kept])
  })

  test('a transaction sees its own writes', async () => {
    const office = anOffice()
    const seen = await current().db.transaction(async (trx) => {
      await insertOffice(trx, office)
      return await findOffice(trx, office.id)
    })
    expect(seen).toEqual(office)
  })

  test('a transaction inside of a transaction throws', async () => {
    const { db } = current()
    await expect(db.transaction(() => db.transaction(async () => {}))).rejects.toThrow('inside')
  })

  test('reading past the transaction throws', async () => {
    const { db } = current()
    await expect(db.transaction(() => listOffices(db))).rejects.toThrow('inside')
    expect(await listOffices(db)).toEqual([])
  })

  test('times and sizes come back as numbers', async () => {
    const office = anOffice({ uploadLimit: 5_000_000_000 })
    const { db } = current()
    await db.transaction((trx) => insertOffice(trx, office))
    expect((await findOffice(db, office.id))?.uploadLimit).toBe(5_000_000_000)
  })

  test('migration: one process migrates, the others wait', async () => {
    const bare = await emptyDatabase(dialect, 'none')
    try {
      const starting = [bare.db, bare.again(), bare.again()]
      await Promise.all(starting.map((db) => db.migrate()))
      expect(await listOffices(bare.db)).toEqual([])
    } finally {
      await bare.end()
    }
  })

  test('migrating twice changes nothing', async () => {
    const another = current().again()
    await Promise.all([another.migrate(), current().db.migrate()])
    expect(await listOffices(another)).toEqual([])
  })

  if (dialect === 'postgres')
    test('a connection that breaks inside of a transaction breaks that alone', async () => {
      const { db } = current()
      const broken = db.transaction(async (trx) => {
        await insertOffice(trx, anOffice({ number: 1 }))
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
        await terminate(rows[0]!.pid)
        await insertOffice(trx, anOffice({ number: 2 }))
      })
      await expect(broken).rejects.toBeInstanceOf(DatabaseUnreachable)
      expect(await listOffices(db)).toEqual([])
    })

  if (dialect === 'postgres')
    test('two transactions that wait for each other are both done in the end', async () => {
      const { db } = current()
      const [first, second] = [anOffice({ number: 1 }), anOffice({ number: 2 })]
      await db.transaction(async (trx) => {
        await insertOffice(trx, first)
        await insertOffice(trx, second)
      })
      const runs = { forwards: 0, backwards: 0 }
      const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const renameBoth = (
        way: keyof typeof runs,
        offices: readonly [Office, Office],
        own: typeof one,
      ) =>
        db.transaction(async (trx) => {
          runs[way] += 1
          await replaceOffice(trx, { ...offices[0], name: way })
          // Each holds what the other asks for next.
          own.resolve()
          await Promise.all([one.promise, other.promise])
          await replaceOffice(trx, { ...offices[1], name: way })
        })
      await Promise.all([
        renameBoth('forwards', [first, second], one),
        renameBoth('backwards', [second, first], other),
      ])
      expect(runs.forwards + runs.backwards, 'one of them was run again').toBeGreaterThan(2)
      const names = (await listOffices(db)).map(({ name }) => name)
      expect(new Set(names).size).toBe(1)
    })

  if (dialect === 'sqlite') {
    test('awaiting anything but SQL inside of a transaction throws and keeps nothing', async () => {
      const { db } = current()
      const slow = db.transaction(async (trx) => {
        await insertOffice(trx, anOffice())
        await sleep(5)
      })
      await expect(slow).rejects.toThrow('other than SQL')
      expect(await listOffices(db)).toEqual([])
    })

    test('every connection synchronises each commit and checks references', async () => {
      const settings = await current().db.transaction(async (trx) => {
        const names = ['synchronous', 'foreign_keys', 'journal_mode'] as const
        const values: unknown[] = []
        for (const name of names) {
          const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(trx)
          values.push(...Object.values(rows[0] ?? {}))
        }
        return values
      })
      expect(settings).toEqual([2, 1, 'wal'])
    })
  }
})

/** Ends a connection as a stopping PostgreSQL does; returns once all clients noticed it. */
async function terminate(pid: number): Promise<void> {
  const administrator = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
  await administrator.connect()
  await administrator.query('select pg_terminate_backend($1, 5000)', [pid])
  await administrator.end()
  await sleep(50)
}

onEachDatabase('what the planner knows', (current, dialect) => {
  test('is renewed for tables that have grown, and others may write meanwhile', async () => {
    const { db, again } = current()
    const office = await storedOffice(db)
    for (let index = 0; index < 300; index += 1) await storedUser(db, office, ['CLERK'])
    const other = again()
    await Promise.all([db.optimize(), storedUser(other, office, ['CLERK']), db.optimize()])
    if (dialect === 'postgres') return
    const { rows } = await db.transaction((trx) =>
      sql<{ tbl: string }>`select distinct tbl from sqlite_stat1`.execute(trx),
    )
    expect(rows.map(({ tbl }) => tbl)).toContain('users')
  })
})
