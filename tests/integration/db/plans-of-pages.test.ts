import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_CALLS } from '#app/routes/api/calls.ts'
import type { Call } from '#app/routes/api/define-call.ts'
import { Refused } from '#app/routes/api/refused.ts'
import { findStretchEnd, listMatching } from '#server/db/documents/document-lists.ts'
import { searchRange } from '#server/db/documents/search-texts.ts'
import { markDeadlinesDue, markRecount } from '#server/db/obligations/deadline-marks.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import { DocumentOrder } from '#server/domain/documents/document-list.ts'
import { parseSearch } from '#server/domain/documents/search/query.ts'
import { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { days, seconds } from '#server/domain/time.ts'
import { JOBS } from '#server/jobs/recurring.ts'
import { asPerson } from '#tests/support/builders.ts'
import { emptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { aFullOffice, type FullOffice } from '#tests/support/office/full-office.ts'
import { growOffice } from '#tests/support/office/large-office.ts'
import { type Pages, readPages } from '#tests/support/page-loaders.ts'
import { ON_DISK, openPlanner, type Planner } from '#tests/support/query-plans.ts'
import { type RecordedDatabase, recorded } from '#tests/support/recorded-database.ts'
import { replacedWork } from '#tests/support/replaced-work.ts'
import { type TestSystem, testSystem } from '#tests/support/test-system.ts'
import { addressOf, VISITS } from '#tests/support/visits.ts'

/*
 * No page, call or job scans or sorts a table that grows. The office has thousands of rows in each of them, because
 * PostgreSQL would scan a small table whatever the indexes. A new table fails the first test until
 * tests/support/office/large-office.ts fills it, or it is named as small.
 */

const DOCUMENTS = 20_000
/** By a search at once. */
const FOUND = 500
const EVENTS = 60_000
/** A table with as many rows grows. */
const GROWN = 800

/** Tables whose rows are few, however old the office is, or few for each of its people. */
const SMALL = [
  'access_tokens',
  'act_checklists',
  'acts',
  'alert_preferences',
  'arco_packages',
  'arco_terms',
  'audit_checkpoints',
  'audit_subtrees',
  'authorities',
  'backup_codes',
  'backups',
  'calendar_feeds',
  'capacity_documents',
  'daily_figures',
  'deadline_recounts',
  'deadlines_due',
  'document_stamps',
  'document_views',
  'factor_removals',
  'file_store',
  'job_leader',
  'job_runs',
  'kept_requests',
  'key_fingerprints',
  'linked_accounts',
  'logs',
  'mail_servers',
  'maker_certificates',
  'non_working_days',
  'notice_counts',
  'notice_texts',
  'number_series',
  'obligations',
  'office_keys',
  'offices',
  'prepared_signatures',
  'presence_challenges',
  'privacy_notices',
  'provider_failures',
  'report_months',
  'report_pieces',
  'report_runs',
  'resumable_upload_parts',
  'resumable_uploads',
  'retention_places',
  'retention_terms',
  'schema_range',
  'service_providers',
  'texts_due',
  'totp_factors',
  'unneeded_files',
  'user_roles',
  'users',
  'vain_attempts',
  'webauthn_credentials',
  'yubikey_credentials',
]

/** The body of each call that has one; the shape is what matters, and refusals read rows, too. */
const BODIES: Record<string, unknown> = {
  changePassword: { currentPassword: 'no es esta', newPassword: 'caballo grapa lluvia 47 tinta' },
  terminateAllSessions: {},
  refreshToken: {},
  logout: {},
  login: { email: 'nadie@notaria.example', password: 'no es esta' },
  verifyMfa: { mfaMethod: 'TOTP', code: '000000' },
  beginWebAuthnAuthentication: {},
  finishWebAuthnAuthentication: { credential: {} },
  enableTotp: {},
  verifyTotpSetup: { code: '000000' },
  disableTotp: {},
  regenerateBackupCodes: {},
  updateWebAuthnCredential: { name: 'Llave' },
  beginWebAuthnRegistration: {},
  finishWebAuthnRegistration: { credential: {} },
  prepareSignature: { version: 1, certificate: 'AAAA' },
  completeSignature: { signature: 'AAAA' },
}

/** Lists with their filters, on their later pages. */
const behind = `${Date.parse('2026-10-01')}.${randomUUID()}`
const lineBehind = `${Date.parse('2026-10-01')}.15000`
const LISTS = [
  `/dashboard/documents?behind=${behind}`,
  `/dashboard/documents?state=cancelled&behind=${behind}`,
  `/dashboard/documents?kind=will&by=${randomUUID()}&from=2026-01-01&to=2026-10-31&behind=${behind}`,
  `/dashboard/documents?kind=will&state=signed`,
  `/dashboard/documents?by=${randomUUID()}`,
  '/dashboard/documents?from=2026-01-01&to=2026-10-31',
  `/dashboard/documents?order=oldest&state=signed&behind=${behind}`,
  ...['order=changed', 'order=title'].flatMap((order) => [
    `/dashboard/documents?${order}`,
    `/dashboard/documents?${order}&state=draft&kind=will&from=2026-01-01`,
  ]),
  `/dashboard/documents?order=changed&behind=${behind}`,
  `/dashboard/documents?order=title&behind=${randomUUID()}`,
  `/dashboard/documents?signer=${randomUUID()}&columns=awaited&columns=parties`,
  `/dashboard/documents?signingSession=${randomUUID()}&state=draft&kind=will&order=title&behind=${randomUUID()}`,
  `/dashboard/documents?text=poder&signingSession=${randomUUID()}&signer=${randomUUID()}`,
  '/dashboard/documents?text=poder+nunez&state=cancelled',
  '/dashboard/documents?text=numero+4321',
  '/dashboard/documents?text=poder&behind=other.1700000000000000',
  '/dashboard/documents?text=granjass',
  `/dashboard/documents/numbers?behind=${lineBehind}`,
  `/dashboard/documents/numbers?show=missing&behind=${lineBehind}`,
  `/dashboard/documents/numbers?from=2026-01-01&to=2026-10-31&behind=${lineBehind}`,
  `/dashboard/documents/numbers?show=left&from=2026-01-01&behind=${lineBehind}`,
  `/dashboard/documents/numbers?show=texts&behind=${behind}`,
  ...['documents', 'acts', 'times', 'activity', 'accesses', 'certificates', 'constancias'].map(
    (kind) => `/dashboard/reports/${kind}?from=2026-01-01&to=2026-10-31`,
  ),
  '/dashboard/reports/numbers',
  '/dashboard/reports/instruments?first=100&last=20000&behind=15000',
  `/dashboard/signing/new?kind=will&by=${randomUUID()}&from=2026-01-01&to=2026-10-31&behind=${behind}`,
  '/dashboard/signing/new?text=poder&kind=will&from=2026-01-01&to=2026-10-31',
  `/dashboard/signing?show=all&behind=${behind}`,
  `/dashboard/signing?show=all&state=cancelled`,
  `/dashboard/signing?show=mine&behind=${behind}`,
  `/dashboard/signing?show=mine&state=expired&behind=${behind}`,
  `/dashboard/settings/outbox?state=failed&behind=${behind}`,
  `/dashboard/certificates?behind=${behind}`,
  '/dashboard/certificates/keys?behind=10005000',
  '/dashboard/certificates/keys?text=1001',
  '/dashboard/certificates/keys?text=1001&state=lost&behind=10012000',
  '/dashboard/certificates/keys?state=retired&behind=10005000',
  '/dashboard/certificates/keys?text=iv%C3%A1n&state=assigned',
  '/dashboard/certificates/keys?text=iv%C3%A1n&behind=10005000',
  ...['open', 'late', 'week', 'done', 'not-applicable'].flatMap((show) => [
    `/dashboard/obligations?show=${show}&behind=2026-10-01.${randomUUID()}`,
    `/dashboard/obligations?show=${show}&month=2026-10&obligation=${randomUUID()}`,
  ]),
  `/dashboard/arco?behind=${behind}`,
  `/dashboard/arco?state=closed&behind=${behind}`,
  `/dashboard/retention?state=destroyed&behind=${behind}`,
  `/dashboard/consents?behind=${behind}`,
  `/dashboard/consents?kind=pictures-given&from=2026-01-01&to=2026-10-31&behind=${behind}`,
  `/dashboard/consents?text=NUPB801201QX7&behind=${behind}`,
  `/dashboard/consents?notice=${'0'.repeat(64)}&behind=${behind}`,
  `/dashboard/alerts?show=resolved&behind=${behind}`,
  '/dashboard/audit?text=numero+4321',
  '/dashboard/audit?text=poder+descargado&about=documents&from=2026-11-20',
  '/dashboard/audit?about=access&from=2026-11-20&to=2026-11-20',
]

let pages: Pages
beforeAll(async () => {
  pages = await readPages()
}, 240_000)

describe.each(['sqlite', 'postgres'] as const)('plans of a large office (%s)', (dialect) => {
  let folder = ''
  let database: TestDatabase
  let recording: RecordedDatabase
  let system: TestSystem
  let office: FullOffice
  let planner: Planner
  let growing: string[]
  const known = new Set<string>()

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rubrica-plans-'))
    database = await emptyDatabase(dialect)
    recording = recorded(database.db)
    system = await testSystem(recording.db, folder, replacedWork)
    office = await aFullOffice({ ...system, db: database.db }, 12)
    await growOffice(database.db, {
      ...{ office: office.office, people: office.people, now: system.clock.now() },
      ...{ documents: DOCUMENTS, events: EVENTS, busyDocument: office.signed.id },
    })
    await database.db.transaction(async (trx) => {
      const at = system.clock.now()
      await markDeadlinesDue(trx, { documentId: office.signed.id, at })
      await markRecount(trx, { officeId: office.office.id, at })
    })
    growing = await grownTables(database)
    planner = await openPlanner(dialect, database.url)
  }, 600_000)
  afterAll(async () => {
    await planner.end()
    await database.end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The faults of the statements of `work`; a statement that was explained before has none. */
  async function faultsOf(work: () => Promise<unknown>): Promise<string[]> {
    recording.take()
    await work()
    const faults = []
    for (const statement of recording.take()) {
      if (known.has(shapeOf(statement))) continue
      known.add(shapeOf(statement))
      const found = await planner.faultsIn(statement, growing)
      faults.push(...found.map((fault) => `${fault}: ${statement.sql.slice(0, 600)}`))
    }
    return faults
  }

  test('every table grows, or is named as small', async () => {
    const { rows } = await database.db.transaction((trx) => tableNames(dialect).execute(trx))
    const others = rows.map(({ name }) => name).filter((name) => !growing.includes(name))
    expect(others.toSorted()).toEqual(SMALL)
  })

  test.each(Object.entries(VISITS))('page: %s reads by an index', async (_, visit) => {
    const { as, presence = 'none' } = visit
    const { office: row } = office
    await database.db.transaction((trx) => replaceOffice(trx, { ...row, presence }))
    const address = addressOf(visit, office)
    expect(await faultsOf(() => pages.load(system, address, as && office[as]))).toEqual([])
  })

  test.each(LISTS)('list: %s reads by an index', async (address) => {
    expect(await faultsOf(() => pages.load(system, address, office.member))).toEqual([])
  })

  test.each(DocumentOrder.options)(
    'list: a stretch of documents in the middle of the order %s is compared by an index',
    async (order) => {
      const all = { officeId: office.office.id, order }
      const behind = await findStretchEnd(recording.db, { ...all, limit: DOCUMENTS / 2 })
      const end = await findStretchEnd(recording.db, { ...all, behind, limit: 1000 })
      recording.take()
      const asked = { ...all, kind: 'will', createdBy: UserId.parse(randomUUID()) } as const
      await listMatching(recording.db, { ...asked, behind, end, limit: 26 })
      const [statement] = recording.take()
      if (!statement) throw new Error('nothing was read')
      const onDisk = await openPlanner(dialect, database.url, ON_DISK)
      expect(await onDisk.faultsIn(statement, growing)).toEqual([])
      const steps = await onDisk.stepsOf(statement)
      await onDisk.end()
      expect(steps.join('\n')).toMatch(/COVERING INDEX|Index Only Scan/)
    },
  )

  test('search: the oldest texts are found without passing over all newer ones', async () => {
    const { db } = database
    const search = parseSearch('poder')
    if (!search) throw new Error('nothing is searched for')
    const { id: officeId } = office.office
    const first = await db
      .selectFrom('document_texts')
      .select('number')
      .where('office_id', '=', officeId)
      .orderBy('number')
      .limit(FOUND + 1)
      .execute()
    const [from, below] = [first[0], first[FOUND]].map((text) => Number(text?.number))
    const oldest = {
      officeId,
      search,
      isExact: true,
      wasGivenUp: false,
      from: from!,
      below: below!,
    }
    const texts =
      dialect === 'sqlite'
        ? sql`(select number from document_trigrams('"poder"') as found cross join document_texts on number = found.rowid)`
        : sql`(select 1 from document_texts where text like '%poder%')`
    const all = db.selectFrom(texts.as('found')).select(sql`count(*)`.as('count')).compile()
    const times: { some: number; all: number }[] = []
    // In turns, so that others on this machine disturb both; the fastest of each was disturbed least.
    for (let round = 0; round < 20; round += 1) {
      const found = await searchRange(db, oldest, seconds(60))
      expect(found?.numbers).toHaveLength(FOUND)
      const counted = await db.readApart(all, seconds(60))
      times.push({ some: found?.took ?? Number.NaN, all: counted?.took ?? Number.NaN })
    }
    const fastest = (of: 'some' | 'all') => Math.min(...times.map((time) => time[of]))
    expect(fastest('some')).toBeLessThan(fastest('all') / 2)
  })

  test('list: the later pages of what a certificate signed read by an index', async () => {
    const address = `/dashboard/certificates/${office.certificate}?behind=${behind}`
    expect(await faultsOf(() => pages.load(system, address, office.member))).toEqual([])
  })

  test('list: the later pages of the copies of a document read by an index', async () => {
    const address = `/dashboard/documents/${office.signed.id}/copies?behind=${behind}`
    expect(await faultsOf(() => pages.load(system, address, office.member))).toEqual([])
  })

  test.each(ALL_CALLS.map((call) => [call.name, call] as const))(
    'call: %s reads by an index',
    async (_, call) => {
      expect(await faultsOf(() => answered(system, office, call))).toEqual([])
    },
  )

  test.each(JOBS.map((job) => [job.name, job] as const))(
    'job: %s reads by an index',
    async (_, job) => {
      // Sessions, mail and working rows are over then.
      system.wait(days(10))
      expect(await faultsOf(() => job.run(system, new AbortController().signal))).toEqual([])
    },
    120_000,
  )
})

/** PostgreSQL chooses by the values, too; a statement of one shape is explained once. */
const shapeOf = ({ sql: text }: CompiledQuery) => text

const tableNames = (dialect: 'sqlite' | 'postgres') =>
  dialect === 'sqlite'
    ? // The full-text index has tables of its own.
      sql<{ name: string }>`select name from pragma_table_list
        where schema = 'main' and type = 'table' and name not like 'kysely%' and name not like 'sqlite%'`
    : sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = 'public' and tablename not like 'kysely%'`

async function grownTables({ db }: TestDatabase): Promise<string[]> {
  return await db.transaction(async (trx) => {
    const { rows } = await tableNames(db.dialect).execute(trx)
    const grown = []
    for (const { name } of rows) {
      const counted = await sql<{ count: number | string }>`
        select count(*) as count from ${sql.table(name)}`.execute(trx)
      if (Number(counted.rows[0]?.count) >= GROWN) grown.push(name)
    }
    return grown
  })
}

/** Calls with the rows of the office; a refusal is an answer, too. */
async function answered(system: TestSystem, office: FullOffice, call: Call): Promise<void> {
  const [person] = office.people
  if (!person) throw new Error('an office without people')
  try {
    await call.reply({
      system,
      actor: asPerson(person),
      request: new Request(`https://localhost/api/v1${call.template}`),
      path: {
        sessionId: randomUUID(),
        credentialId: office.key,
        documentId: office.awaited.id,
        preparedId: randomUUID(),
      },
      query: {},
      body: BODIES[call.name],
    })
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof Refused)) throw error
  }
}
