import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/clock.ts'
import { type Composed, compose } from '#server/compose.ts'
import { type Config, readConfig } from '#server/config.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import type { DemoFiles } from '#server/demo/demo-files.ts'
import { directServices } from '#server/demo/direct-services.ts'
import { prepareDemo, prepareDemoFiles } from '#server/demo/prepare-demo.ts'
import { officeDays, ZONE } from '#server/demo/year/calendar.ts'
import { dayOf } from '#server/domain/day.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Anonymous } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { after, before, days, hours, type Instant } from '#server/domain/time.ts'
import { findLogFault } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import type { System } from '#server/system.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { judge } from '#tests/support/judges.ts'
import { folderInMemory } from '#tests/support/machine.ts'
import { freePort } from '#tests/support/processes/server-process.ts'

/* The demo office with a year of life; its first start is interrupted half-way. */
const folder = mkdtempSync(path.join(folderInMemory() ?? tmpdir(), 'rubrica-demo-year-'))
/** Beside other programs it was 27 s; each needs more than alone. */
const LONGEST_MS = 40_000
const INTERRUPTED_AFTER = 500
let [interrupted, spent]: [Counts | undefined, number] = [undefined, 0]
let end: Instant
let config: Config
let files: DemoFiles
let composed: Composed
let system: System

beforeAll(async () => {
  config = readConfig('demo', { PORT: String(await freePort()), DATA_DIR: folder })
  end = systemClock.now()
  spent = await cpuTimeOf(async () => {
    files = await prepareDemoFiles(config, end)
    composed = await compose(config)
    const ending = { ...composed.system, db: endingAfter(INTERRUPTED_AFTER) }
    await expect(prepareDemo(ending, config, files)).rejects.toThrow('interrupted')
    interrupted = await countsOf()
    await prepareDemo(composed.system, config, files)
  })
  system = { ...composed.system, ...directServices(files.services)(composed.system) }
}, 300_000)

afterAll(async () => {
  await composed.close()
  rmSync(folder, { recursive: true })
})

/** A database that refuses every transaction after so many. */
function endingAfter(count: number): System['db'] {
  const { db } = composed.system
  let left = count
  return {
    ...db,
    async transaction(work) {
      left -= 1
      if (left < 0) throw new Error('interrupted')
      return await db.transaction(work)
    },
  }
}

type Counts = { documents: number; events: number }

async function countsOf(): Promise<Counts> {
  const { db } = composed.system
  const documents = await db.selectFrom('documents').select('id').execute()
  const events = await db.selectFrom('audit_events').select('seq').execute()
  return { documents: documents.length, events: events.length }
}

const documents = () => system.db.selectFrom('documents').selectAll().execute()

test('a start that was interrupted is continued: 300 documents, each once', async () => {
  expect(interrupted?.documents).toBeGreaterThan(50)
  expect(interrupted?.documents).toBeLessThan(250)
  const all = await documents()
  expect(all).toHaveLength(300)
  expect(new Set(all.map(({ title }) => title)).size).toBe(300)
})

test('a later start adds nothing to the office', async () => {
  const known = await countsOf()
  await prepareDemo(composed.system, config, files)
  // The link of the external signer is made anew.
  const { documents, events } = await countsOf()
  expect(documents).toBe(known.documents)
  expect(events - known.events).toBeLessThanOrEqual(2)
}, 60_000)

test('there are documents in each state, and most are signed or drafts', async () => {
  const states = Map.groupBy(await documents(), ({ state }) => state)
  const count = (state: string) => states.get(state)?.length ?? 0
  expect(count('signed')).toBeGreaterThanOrEqual(25)
  expect(count('draft')).toBeGreaterThan(20)
  for (const state of ['signing', 'rejected', 'cancelled']) expect(count(state)).toBeGreaterThan(4)
})

test('sessions: open, late, completed, rejected and cancelled', async () => {
  const rows = await system.db.selectFrom('signing_sessions').select('state').execute()
  const states = new Set(rows.map(({ state }) => state))
  expect(states).toEqual(new Set(['open', 'expired', 'completed', 'rejected', 'cancelled']))
})

test('twelve people, one of them suspended and one invited', async () => {
  const users = await system.db.selectFrom('users').select('state').execute()
  const states = users.map(({ state }) => state).toSorted()
  expect(states).toEqual([...Array(10).fill('active'), 'invited', 'suspended'])
})

test('documents are uploaded on days of the office, in its hours, over the whole year', async () => {
  const open = new Set(officeDays(end).map(({ day }) => day))
  const uploaded = (await documents()).map(({ created_at: at }) => at).filter((at) => at < end)
  expect(uploaded).toHaveLength(293)
  for (const at of uploaded) {
    expect(open).toContain(dayOf(at, ZONE))
    const hour = Number(new Date(at).toLocaleTimeString('en-GB', { timeZone: ZONE }).slice(0, 2))
    expect(hour).toBeGreaterThanOrEqual(9)
    expect(hour).toBeLessThan(19)
  }
  const months = Map.groupBy(uploaded, (at) => dayOf(at, ZONE).slice(0, 7))
  expect(months.size).toBeGreaterThanOrEqual(12)
  expect(Math.max(...uploaded)).toBeGreaterThan(before(end, days(12)))
})

test('numbers of instruments ascend with the days, with gaps that have a reason', async () => {
  const lines = await system.db
    .selectFrom('instrument_numbers')
    .select(['first_number', 'state', 'document_id', 'note'])
    .where('series_id', '=', INSTRUMENT_SERIES)
    .orderBy('first_number')
    .execute()
  const uploadedAt = new Map((await documents()).map((one) => [one.id, one.created_at]))
  const times = lines.flatMap(({ document_id: id }) => uploadedAt.get(id ?? '') ?? [])
  expect(times.length).toBeGreaterThan(80)
  // The last of them is a draft that took its number later.
  expect(times.slice(0, -1)).toEqual(times.slice(0, -1).toSorted((a, b) => a - b))
  const unused = lines.filter(({ state }) => state === 'unused')
  expect(unused.length).toBeGreaterThanOrEqual(4)
  for (const { note } of unused) expect(note).toMatch(/^NO PASÓ/)
  expect(lines.find(({ state }) => state === 'missing')?.first_number).toBe(4520)
})

test('the rules raised alerts: a certificate and a capacity that end, a late session', async () => {
  const rows = await system.db
    .selectFrom('alerts')
    .select(['kind', 'state'])
    .where('state', '=', 'open')
    .execute()
  const kinds = new Set(rows.map(({ kind }) => kind))
  for (const kind of ['certificate-ending', 'capacity-ending', 'session-late'])
    expect(kinds).toContain(kind)
  expect(rows.length).toBeLessThan(15)
})

test('no mail of the year waits to be sent', async () => {
  const waiting = await system.db
    .selectFrom('outbox')
    .select('created_at')
    .where('state', '=', 'waiting')
    .execute()
  expect(waiting.filter(({ created_at: at }) => at < end)).toEqual([])
})

test('log: ascends in time and holds as its verifier reads it', async () => {
  await checkpointLogs(system)
  expect(await findLogFault(system)).toBeUndefined()
  const events = await system.db.selectFrom('audit_events').select('at').orderBy('seq').execute()
  const times = events.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeLessThan(before(end, days(350)))
})

test('signed documents: our verifier and pdfsig find them valid, with long-term proof of their day', async () => {
  const archived = (await documents()).filter(
    ({ state, created_at: at }) => state === 'signed' && at < end,
  )
  const sample = archived.filter((_, index) => index % Math.ceil(archived.length / 8) === 0)
  expect(sample.length).toBeGreaterThanOrEqual(6)
  for (const row of sample) {
    const id = DocumentId.parse(row.id)
    const document = await findDocument(system.db, id)
    const version = document && (await findVersion(system.db, id, document.version))
    if (!document || !version) throw new Error(`no document ${id}`)
    const file = path.join(folder, `${id}.pdf`)
    writeFileSync(file, await buffer(system.blobs.stream(version, 0, version.bytes)))
    const { output } = judge('pdfsig')('-nocert', file)
    expect(output).toContain('Signature is Valid')
    expect(output).not.toMatch(/Signature is Invalid|Mismatch/)
    // Wills are not looked up by the public.
    if (document.kind === 'will') continue
    const found = await readVerification(system, STRANGER, { id })
    if (found.kind !== 'found') throw new Error(`${row.title} is ${found.kind}`)
    expect([row.title, found.report.verdict]).toEqual([row.title, 'VALID'])
    const levels = found.report.signatures.map(({ level }) => level)
    expect(levels).toContain('B-LTA')
    expect(levels).not.toContain('B-B')
    expect(levels).not.toContain('B-T')
    expect(version.at).toBeLessThan(after(row.state_since, hours(1)))
  }
}, 60_000)

const STRANGER: Anonymous = {
  ...{ kind: 'anonymous', ip: '198.51.100.7', device: '', requestId: 'test', browser: null },
}

test('the whole start takes less than twenty seconds of two processors', async () => {
  const slower = await timesSlower()
  console.log(`demo with a year: ${Math.round(spent)} ms of processor time`)
  expect(spent).toBeLessThan(LONGEST_MS * slower)
})
