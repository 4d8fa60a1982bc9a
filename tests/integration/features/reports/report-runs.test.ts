import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findStoredFile } from '#server/db/documents/stored-files.ts'
import { replaceOffice } from '#server/db/people/offices.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { ReportRunId } from '#server/domain/ids.ts'
import { FILE_LIFETIME, type ReportRun } from '#server/domain/reports/report-run.ts'
import { days, hours, minutes } from '#server/domain/time.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import { expireReports } from '#server/features/reports/expire-reports.ts'
import { makeReports } from '#server/features/reports/make-reports.ts'
import { discardReport, listReportRuns, openReport } from '#server/features/reports/report-runs.ts'
import { type RequestReport, requestReport } from '#server/features/reports/request-report.ts'
import { scheduleReports } from '#server/features/reports/schedule-reports.ts'
import { moveSeries } from '#tests/support/office/numbered.ts'
import { anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function upload(system: TestSystem, by: Person) {
  return await uploadDocument(system, by, {
    ...{ title: 'Compraventa', kind: 'deed', fileName: FileName.parse('escritura.pdf') },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
  })
}

onEachSystem('reports made apart', (system) => {
  const request = (by: Person, asked: Partial<RequestReport> = {}) =>
    requestReport(system(), by, { kind: 'documents', format: 'csv', ...asked })

  const runOf = async (by: Person, id: ReportRunId): Promise<ReportRun | undefined> =>
    (await listReportRuns(system(), by)).own.find((run) => run.id === id)

  async function contentOf(by: Person, id: ReportRunId): Promise<string> {
    const { run, file } = await openReport(system(), by, id)
    const address = { officeId: run.officeId, sha256: file.sha256 }
    return await text(system().blobs.stream(address, 0, file.bytes))
  }

  const actions = async () =>
    (await system().log()).map(({ action }) => action).filter((action) => /^report/.test(action))

  /** Stops the job once it looked so often. */
  function stoppedAfter(looks: number): AbortSignal {
    let seen = 0
    const isAborted = () => {
      seen += 1
      return seen > looks
    }
    return new Proxy(new AbortController().signal, {
      get: (target, name) => (name === 'aborted' ? isAborted() : Reflect.get(target, name)),
    })
  }

  test('a job makes the file, which waits and is then removed; each step is an event', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    await upload(system(), clerk.person)
    const id = await request(clerk.person)
    expect(await runOf(clerk.person, id)).toMatchObject({ state: 'waiting', file: null })
    await makeReports(system())
    const run = await runOf(clerk.person, id)
    expect(run).toMatchObject({ state: 'ready', percent: 100, rowsRead: 1 })
    expect(await contentOf(clerk.person, id)).toContain('Escritura,1,')
    const { sha256 } = run!.file!
    system().wait(FILE_LIFETIME)
    await expireReports(system())
    expect(await runOf(clerk.person, id)).toMatchObject({ state: 'expired', file: null })
    const address = { officeId: clerk.person.officeId, sha256 }
    expect(await findStoredFile(system().db, address)).toBeUndefined()
    expect(await outcomeOf(openReport(system(), clerk.person, id))).toBe('not-found')
    expect(await actions()).toEqual([
      ...['report.requested', 'report.made', 'report.downloaded', 'report.expired'],
    ])
  })

  test('a person has one at a time, until it is made or discarded', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    const first = await request(clerk.person)
    expect(await outcomeOf(request(clerk.person))).toBe('report-under-way')
    expect(await outcomeOf(request(second.person))).toBe('done')
    await discardReport(system(), clerk.person, first)
    expect(await runOf(clerk.person, first)).toBeUndefined()
    const next = await request(clerk.person)
    await makeReports(system())
    expect(await outcomeOf(request(clerk.person))).toBe('done')
    expect(await outcomeOf(openReport(system(), clerk.person, first))).toBe('not-found')
    expect(await outcomeOf(openReport(system(), clerk.person, next))).toBe('done')
  })

  test('a report of another person, or of people without the role, is not there', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    const id = await request(second.person, { kind: 'activity' })
    await makeReports(system())
    for (const work of [openReport, discardReport])
      expect(await outcomeOf(work(system(), clerk.person, id))).toBe('not-found')
    expect(await outcomeOf(request(clerk.person, { kind: 'accesses' }))).toBe('forbidden')
    expect((await listReportRuns(system(), clerk.person)).own).toEqual([])
  })

  /** Numbers 1 to `count`, each with a document. */
  async function anIndex(count: number) {
    const { clerk, second } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 1)
    for (let number = 1; number <= count; number += 1) {
      const { id: documentId } = await upload(system(), clerk.person)
      const of = { documentId, seriesId: INSTRUMENT_SERIES, number: null }
      await takeNumber(system(), clerk.person, of)
    }
    return clerk
  }

  test('after a stop, the next process goes on from its place, and no row is there twice', async () => {
    const clerk = await anIndex(3)
    const id = await request(clerk.person, { kind: 'instruments' })
    // Looks: for a run, and behind the piece that was written.
    await makeReports(system(), stoppedAfter(1))
    expect(await runOf(clerk.person, id)).toMatchObject({ state: 'waiting' })
    await makeReports(system())
    const lines = (await contentOf(clerk.person, id)).trim().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['1', '2', '3'])
    const { rows } = await system()
      .db.selectFrom('report_pieces')
      .selectAll()
      .execute()
      .then((rows) => ({ rows }))
    expect(rows).toEqual([])
  })

  test('after a crash, another process takes it over when the lease is over', async () => {
    const clerk = await anIndex(1)
    const id = await request(clerk.person)
    const broken = {
      ...system(),
      blobs: { ...system().blobs, stage: () => new Promise<never>(() => {}) },
    }
    void makeReports(broken)
    await expect.poll(async () => (await runOf(clerk.person, id))?.rowsRead).toBe(1)
    await makeReports(system())
    expect(await runOf(clerk.person, id)).toMatchObject({ state: 'waiting' })
    system().wait(minutes(3))
    await makeReports(system())
    expect(await runOf(clerk.person, id)).toMatchObject({ state: 'ready' })
  })

  test('one that fails again and again is given up, and the person may ask again', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const id = await request(clerk.person)
    const broken = {
      ...system(),
      blobs: { ...system().blobs, stage: () => Promise.reject(new Error('no disk')) },
    }
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect(makeReports(broken)).rejects.toThrow('no disk')
      system().wait(hours(1))
    }
    expect(await runOf(clerk.person, id)).toMatchObject({ state: 'failed' })
    expect((await actions()).at(-1)).toBe('report.failed')
    expect(await outcomeOf(request(clerk.person))).toBe('done')
  })

  test('two reports with the same content share a file until both are over', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    await upload(system(), clerk.person)
    const mine = await request(clerk.person)
    const theirs = await request(second.person)
    await makeReports(system())
    await discardReport(system(), clerk.person, mine)
    expect(await contentOf(second.person, theirs)).toContain('Escritura')
  })

  test.each(['xlsx', 'pdf'] as const)('as %s, the file is made in a thread', async (format) => {
    const clerk = await anIndex(2)
    const id = await request(clerk.person, { kind: 'instruments', format })
    await makeReports(system())
    const { run, file } = await openReport(system(), clerk.person, id)
    const address = { officeId: run.officeId, sha256: file.sha256 }
    const beginning = await text(system().blobs.stream(address, 0, 4))
    expect(beginning).toBe(format === 'pdf' ? '%PDF' : 'PK\u0003\u0004')
    expect(file.name).toBe(`índice de escrituras y actas.${format}`)
  })

  test('of a month: made once for the office, and its administrators are mailed without names', async () => {
    const { office, clerk, admin, second } = await anOfficeWithStaff(system())
    await upload(system(), clerk.person)
    await scheduleReports(system())
    expect((await listReportRuns(system(), admin.person)).monthly).toEqual([])
    const monthly = { ...office, reportSchedule: 'monthly' } as const
    await system().db.transaction((trx) => replaceOffice(trx, monthly))
    for (let times = 0; times < 2; times += 1) await scheduleReports(system())
    await makeReports(system())
    for (let times = 0; times < 2; times += 1) await scheduleReports(system())
    const all = (await listReportRuns(system(), admin.person)).monthly
    expect(all.map(({ kind, month, state }) => `${kind} ${month} ${state}`).toSorted()).toEqual(
      ['accesses', 'activity', 'acts', 'constancias', 'documents', 'instruments', 'times'].map(
        (kind) => `${kind} 2026-10 ready`,
      ),
    )
    const forClerk = (await listReportRuns(system(), clerk.person)).monthly
    expect(forClerk.map(({ kind }) => kind).toSorted()).toEqual([
      ...['acts', 'constancias', 'documents', 'instruments', 'times'],
    ])
    const mails = await system().db.selectFrom('outbox').selectAll().execute()
    expect(mails.map(({ to_address: to }) => to).toSorted()).toEqual(
      [admin.user.email, second.user.email].toSorted(),
    )
    expect(mails[0]).toMatchObject({
      kind: 'reports-ready',
      subject: 'Reportes de octubre de 2026',
    })
    expect(mails[0]?.text).not.toContain('Compraventa')
    system().wait(days(31))
    await scheduleReports(system())
    expect((await listReportRuns(system(), admin.person)).monthly).toHaveLength(14)
  })
})
