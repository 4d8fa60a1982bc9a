import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { days } from '#server/domain/time.ts'
import { exportLog } from '#server/features/audit/export-log.ts'
import { openLogs } from '#server/features/installation/open-logs.ts'
import { JOBS } from '#server/jobs/recurring.ts'
import { asPerson } from '#tests/support/builders.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { aFullOffice, type FullOffice } from '#tests/support/office/full-office.ts'
import { type Pages, readPages } from '#tests/support/page-loaders.ts'
import { replacedWork } from '#tests/support/replaced-work.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'
import { addressOf, VISITS } from '#tests/support/visits.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const idsIn = (text: string) => new Set(text.match(UUID))

let pages: Pages
beforeAll(async () => {
  pages = await readPages()
}, 240_000)

describe.each(['sqlite', 'postgres'] as const)('two offices, seeded alike (%s)', (dialect) => {
  let folder = ''
  let database: TestDatabase
  let system: TestSystem
  let one: FullOffice
  let other: FullOffice
  /** The ids of all that only `one` has. */
  let secret: Set<string>

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'rubrica-apart-'))
    database = await emptyDatabase(dialect)
    system = await testSystem(database.db, folder, replacedWork)
    one = await aFullOffice(system, 5)
    other = await aFullOffice(system, 6)
    const opening = { ...system, by: 'a test', at: system.clock.now() }
    await system.db.transaction((trx) => openLogs(trx, opening, other.office.id, [one.office.id]))
    secret = (await idsOf(system.db, one)).difference(await idsOf(system.db, other))
  }, 240_000)
  afterAll(async () => {
    await database.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const secretsIn = (text: string, known = new Set<string>()) =>
    [...idsIn(text).intersection(secret)].filter((id) => !known.has(id))

  test('have things of their own', () => {
    expect(secret.size).toBeGreaterThan(80)
    for (const id of [one.office.id, one.draft, one.session, one.certificate, one.mail, one.party])
      expect(secret).toContain(id)
  })

  test('the exported log has nothing of the other', async () => {
    const [person] = other.people
    const { events } = await exportLog(system, asPerson(person!), { format: 'jsonl' })
    const text = JSON.stringify(await Array.fromAsync(events))
    expect(idsIn(text)).toContain(other.office.id)
    expect(secretsIn(text)).toEqual([])
  })

  test.each(Object.entries(VISITS))('page %s: shows nothing of the other', async (_, visit) => {
    const cookie = visit.as && other[visit.as]
    const { text } = await pages.read(system, addressOf(visit, other), cookie)
    expect(secretsIn(text)).toEqual([])
  })

  test.each(Object.entries(VISITS).filter(([, { as, to }]) => as && typeof to !== 'string'))(
    'page %s: things of the other are unknown',
    async (_, visit) => {
      const address = addressOf(visit, one)
      const { isPage, text } = await pages.read(system, address, visit.as && other[visit.as])
      const nothing = { isPage: false, secrets: [] }
      // A page may ask again for what it was asked for.
      expect({ isPage, secrets: secretsIn(text, idsIn(address)) }).toEqual(
        FORGIVING.has(_) ? { ...nothing, isPage } : nothing,
      )
    },
  )

  test('no row of an office names a thing of the other after all jobs, mail and alerts among them', async () => {
    system.wait(days(10))
    for (const { run } of JOBS) await run(system, new AbortController().signal)
    const own = (await idsOf(system.db, other)).difference(await idsOf(system.db, one))
    expect(own.size).toBeGreaterThan(100)
    const rows = await textOf(system.db, one)
    expect([...idsIn(rows).intersection(own)]).toEqual([])
  }, 120_000)
})

/** Of these the other has things with the same address: numbers, and authorities. */
const FORGIVING = new Set(['routes/documents/numbers/number', 'routes/settings/authority'])

/** The ids in the rows of an office, of whatever they are. */
const idsOf = async (db: Database, { office }: FullOffice) => {
  const ids = new Set<string>()
  for (const row of await rowsOf(db, office.id))
    if (typeof row.id === 'string') for (const id of idsIn(row.id)) ids.add(id)
  return ids.add(office.id)
}

const textOf = async (db: Database, { office }: FullOffice) =>
  JSON.stringify(await rowsOf(db, office.id), (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )

/** The rows of all tables that say whose they are. */
async function rowsOf(db: Database, officeId: string): Promise<Record<string, unknown>[]> {
  return await db.transaction(async (trx) => {
    const tables = await tablesWithOffice(db.dialect).execute(trx)
    const found = []
    for (const { name } of tables.rows) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(name)} where office_id = ${officeId}`.execute(trx)
      found.push(...rows)
    }
    return found
  })
}

const tablesWithOffice = (dialect: Database['dialect']) =>
  dialect === 'sqlite'
    ? sql<{
        name: string
      }>`select t.name from pragma_table_list as t, pragma_table_info(t.name) as c
        where t.schema = 'main' and t.type = 'table' and c.name = 'office_id'`
    : sql<{ name: string }>`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'office_id'`
