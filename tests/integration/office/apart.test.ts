import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { listSessions } from '#server/db/sign-ins/sessions.ts'
import { days, seconds } from '#server/domain/time.ts'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { makePackages } from '#server/features/arco/make-packages.ts'
import { recordArcoRequest } from '#server/features/arco/record-arco-request.ts'
import { requestPackage } from '#server/features/arco/request-package.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { exportLog } from '#server/features/audit/export-log.ts'
import { openLogs } from '#server/features/installation/open-logs.ts'
import { createCalendarFeed } from '#server/features/obligations/calendar-feed.ts'
import { makeReports } from '#server/features/reports/make-reports.ts'
import { RequestReport, requestReport } from '#server/features/reports/request-report.ts'
import { JOBS } from '#server/jobs/recurring.ts'
import { asPerson } from '#tests/support/builders.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { FILES, MADE_APART, OF_ONE_THING, WITHOUT_FILE } from '#tests/support/file-visits.ts'
import { anArcoRequest, proven } from '#tests/support/office/arco.ts'
import { aFullOffice, type FullOffice } from '#tests/support/office/full-office.ts'
import { type Pages, readPages } from '#tests/support/page-loaders.ts'
import { replacedWork } from '#tests/support/replaced-work.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'
import { addressOf, VISITS, type Visit } from '#tests/support/visits.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const idsIn = (text: string) => new Set(text.match(UUID))

/** Stands in every name and title of the office whose secrets are looked for. */
const MARK = 'Zafiro'

/** What people call the things of an office, by table. */
const NAMES = {
  ...{ offices: ['name'], users: ['first_name', 'last_name'], documents: ['title'] },
  ...{ signing_sessions: ['title'], parties: ['name'], acts: ['name'], obligations: ['name'] },
  ...{ non_working_days: ['name'], service_providers: ['name'], number_series: ['name'] },
  ...{ arco_requests: ['name'], outbox: ['to_name'] },
}

async function mark(db: Database, { office }: FullOffice): Promise<void> {
  await db.transaction(async (trx) => {
    for (const [table, columns] of Object.entries(NAMES))
      for (const column of columns)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} || ${` ${MARK}`}
          where ${sql.ref(table === 'offices' ? 'id' : 'office_id')} = ${office.id}`.execute(trx)
    await sql`update signers set name = name || ${` ${MARK}`} where signing_session_id in
      (select id from signing_sessions where office_id = ${office.id})`.execute(trx)
  })
}

/** The text of an answer, with that of all files in an archive or a workbook. */
async function textIn(answer: Response): Promise<string> {
  const chunks = await Array.fromAsync<Uint8Array | string>(answer.body ?? [])
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return bytes.toString()
  const files = await readZip(bytes)
  return files.map((file) => Buffer.from(file.bytes).toString()).join('\n')
}

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
    await checkpointLogs(system, undefined, seconds(0))
    secret = (await idsOf(system.db, one)).difference(await idsOf(system.db, other))
    await mark(system.db, one)
  }, 240_000)
  afterAll(async () => {
    await database.end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Asks for a file in both offices, the secrets first: what a cache keeps of them would be shown to the other. */
  async function bothFilesOf(visit: Visit) {
    const of = async (office: FullOffice) => {
      const cookie = visit.as && office[visit.as]
      const answer = await pages.fetch(system, addressOf(visit, office), {
        ...(cookie && { Cookie: cookie }),
      })
      return { status: answer.status, text: await textIn(answer) }
    }
    return { ofOne: await of(one), ofOther: await of(other) }
  }

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

  /** Pages and files on which the words of `one` were seen by `one`. */
  const sensitive = new Set<string>()

  test.each(Object.entries(VISITS))('page %s: shows nothing of the other', async (id, visit) => {
    // The secrets first: what a cache keeps of them would be shown to the other.
    const own = await pages.read(system, addressOf(visit, one), visit.as && one[visit.as])
    if (own.text.includes(MARK)) sensitive.add(id)
    const cookie = visit.as && other[visit.as]
    const { text } = await pages.read(system, addressOf(visit, other), cookie)
    expect(secretsIn(text)).toEqual([])
    expect(text).not.toContain(MARK)
  })

  test('every route that answers a GET without a page is known', () => {
    const known = [...Object.keys(FILES), ...MADE_APART, ...OF_ONE_THING, ...WITHOUT_FILE]
    expect(known.toSorted()).toEqual(pages.files.toSorted())
  })

  test.each(Object.entries(FILES))('file %s: holds nothing of the other', async (id, visits) => {
    for (const visit of visits) {
      const { ofOne, ofOther } = await bothFilesOf(visit)
      if (ofOne.text.includes(MARK)) sensitive.add(id)
      const address = addressOf(visit, other)
      expect([address, ofOther.status, ofOne.status]).toEqual([address, 200, 200])
      expect([address, secretsIn(ofOther.text), ofOther.text.includes(MARK)]).toEqual([
        ...[address, [], false],
      ])
    }
  })

  test('pages and files show the words of their own office, so that they would be seen in the other', () => {
    expect(sensitive.size).toBeGreaterThan(100)
    for (const id of ['routes/reports/file', 'routes/users/list', 'routes/documents/list'])
      expect(sensitive).toContain(id)
  })

  test('files of jobs and the calendar at a secret address: hold nothing of the other', async () => {
    const stop = new AbortController().signal
    const asked = { one: await askApart(one), other: await askApart(other) }
    await makeReports(system, stop)
    await makeReports(system, stop)
    await makePackages(system, stop)
    const own = await textsOf(asked.one, one)
    expect(own.map((text) => text.includes(MARK))).toEqual([true, true, true])
    for (const text of await textsOf(asked.other, other)) {
      expect(text).not.toContain(MARK)
      expect(secretsIn(text)).toEqual([])
    }
    for (const address of asked.one.slice(0, 2)) {
      const refused = await pages.fetch(system, address, { Cookie: other.member })
      expect([address, refused.status]).toEqual([address, 404])
    }
  })

  /** @returns the addresses of a report, of what is held about a person, and of a calendar */
  async function askApart({ people: [admin] }: FullOffice): Promise<string[]> {
    const by = asPerson(admin!)
    const report = { kind: 'activity', format: 'xlsx' } as const
    const run = await requestReport(system, by, RequestReport.parse(report))
    const { rfc, firstName, lastName } = admin!
    const about = anArcoRequest({ rfc, name: `${firstName} ${lastName}` })
    const requestId = await recordArcoRequest(system, by, about)
    await proven(system, by, requestId)
    await requestPackage(system, by, { requestId })
    const sessions = await listSessions(system.db, admin!.id, system.clock.now())
    const feed = await createCalendarFeed(system, { ...by, sessionId: sessions[0]!.id })
    return [
      `/dashboard/reports/files/${run}`,
      `/dashboard/arco/${requestId}/data.zip`,
      `/calendar/${feed}.ics`,
    ]
  }

  const textsOf = (addresses: readonly string[], { member }: FullOffice) =>
    Promise.all(
      addresses.map(async (address) => {
        const answer = await pages.fetch(system, address, { Cookie: member })
        expect([address, answer.status]).toEqual([address, 200])
        return await textIn(answer)
      }),
    )

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
    expect(rows).toContain(MARK)
    expect(await textOf(system.db, other)).not.toContain(MARK)
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
