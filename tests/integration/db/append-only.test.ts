import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { RELEASES, restoreRelease } from '#tests/support/released-office.ts'

/* Rows of a whole office, attacked with the file of the database at hand. */

const folder = mkdtempSync(join(tmpdir(), 'rubrica-append-only-'))
const file = join(folder, 'rubrica.sqlite')
let rows: Sqlite.Database

beforeAll(async () => {
  for (const release of RELEASES.slice(0, 1)) restoreRelease(release, folder)
  const db = openDatabase(file)
  await db.migrate()
  await db.close()
  rows = new Sqlite(file)
})
afterAll(() => {
  rows.close()
  rmSync(folder, { recursive: true, force: true })
})

const listed = (sql: string) => rows.prepare(sql).pluck().all() as string[]

const appendOnly = () =>
  listed(
    "select tbl_name from sqlite_schema where type = 'trigger' and name like '%_refuses_delete'",
  )

/** How the rows of the table look, as one value. */
const contentOf = (table: string) =>
  JSON.stringify(rows.prepare(`select rowid, * from ${table} order by rowid`).raw().all())

test('every table that refuses deletes refuses updates and replacements', () => {
  const tables = appendOnly()
  expect(tables).toHaveLength(18)
  for (const verb of ['update', 'replacement'])
    expect(
      listed(`select tbl_name from sqlite_schema where name like '%_refuses_${verb}'`).toSorted(),
    ).toEqual(tables.toSorted())
})

describe.each([
  [
    'insert or replace',
    (table: string) => `insert or replace into ${table} select * from ${table}`,
  ],
  ['replace', (table: string) => `replace into ${table} select * from ${table}`],
])('%s', (_, statement) => {
  test('changes no row of an append-only table', () => {
    const filled = appendOnly().filter((table) => contentOf(table) !== '[]')
    expect(filled).toEqual(expect.arrayContaining(['audit_events', 'signatures']))
    for (const table of filled) {
      const before = contentOf(table)
      const isSkipped = table === 'audit_subtrees' || table === 'acknowledgements'
      const run = () => rows.prepare(statement(table)).run()
      if (isSkipped) expect(run().changes).toBe(0)
      else expect(run, table).toThrow(`${table} is append-only`)
      expect(contentOf(table)).toBe(before)
    }
  })
})

test('a replacement by row number, with a new key, changes no row', () => {
  const before = contentOf('document_versions')
  const others = listed(
    "select name from pragma_table_info('document_versions') where name <> 'version'",
  ).join(', ')
  const replacement = rows.prepare(`replace into document_versions (rowid, version, ${others})
    select rowid, version + 100, ${others} from document_versions order by rowid limit 1`)
  expect(() => replacement.run()).toThrow('append-only')
  expect(contentOf('document_versions')).toBe(before)
})
