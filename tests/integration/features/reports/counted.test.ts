import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { appendEvent, appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { insertServiceProvider } from '#server/db/trust/service-providers.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { ServiceProviderId } from '#server/domain/ids.ts'
import type { ReportFormat } from '#server/domain/reports/report-format.ts'
import { CountedKind } from '#server/domain/reports/report-kind.ts'
import { days, hours, minutes } from '#server/domain/time.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import { changeProviderCost } from '#server/features/offices/change-provider-cost.ts'
import { exportInstruments, exportReport } from '#server/features/reports/export-report.ts'
import { readReport } from '#server/features/reports/read-report.ts'
import { tablesOfReport } from '#server/features/reports/tables-of-report.ts'
import { aGuest, stranger } from '#tests/support/builders.ts'
import { moveSeries } from '#tests/support/office/numbered.ts'
import { anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const nothing = { kind: 'nothing' } as const

function upload(system: TestSystem, by: Person, acts: string | null = null) {
  const instrument =
    acts === null
      ? null
      : Instrument.parse({
          ...{
            number: `${randomUUID().slice(0, 8)} bis`,
            volume: null,
            folios: null,
            date: null,
            acts,
            parties: [],
          },
        })
  return uploadDocument(system, by, {
    ...{ title: 'Compraventa', kind: 'deed', fileName: FileName.parse('escritura.pdf') },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
    ...(instrument && { instrument }),
  })
}

onEachSystem('counted reports', (system) => {
  /** The rows of each table, read a few at a time. */
  async function rowsOf(by: Person, kind: CountedKind, asked: { from?: never; to?: never } = {}) {
    const form = { as: 'page', step: 2 } as const
    const report = await readReport(system(), by, { kind, ...asked }, form)
    const tables = tablesOfReport(report, report.counted!)
    return tables.map(({ rows }) => rows.map((row) => row.map(({ value }) => value)))
  }

  test('activity: what each person did, with external signers and jobs apart', async () => {
    const { office, clerk, second } = await anOfficeWithStaff(system())
    for (let count = 0; count < 3; count += 1) await upload(system(), clerk.person)
    const at = system().clock.now()
    await system().db.transaction(async (trx) => {
      const signed = { at, action: 'document.signed', subject: nothing } as const
      await appendEvent(trx, { ...signed, actor: second.person })
      for (const name of ['Uno', 'Dos'])
        await appendEvent(trx, {
          ...signed,
          actor: aGuest(office, { name, signerId: randomUUID() as never }),
        })
      await appendSystemEvent(trx, {
        ...{ by: 'vencimientos', at, officeId: office.id, action: 'document.cancelled' },
        ...{ subject: nothing, result: 'success', details: {} },
      })
    })
    const [people, months] = await rowsOf(second.person, 'activity')
    expect(people).toEqual([
      ['Iván Cruz', 3, 0, 0, 0, 0],
      [expect.stringContaining('Núñez'), 0, 0, 1, 0, 0],
      ['Firmantes externos', 0, 0, 2, 0, 0],
      ['Rúbrica, por sí misma', 0, 0, 0, 0, 1],
    ])
    expect(months).toEqual([['noviembre de 2026', 3, 0, 3, 0, 1]])
    expect(await outcomeOf(rowsOf(clerk.person, 'activity'))).toBe('forbidden')
  })

  test('accesses: by person and day; an event of many attempts counts as many', async () => {
    const { office, clerk, second } = await anOfficeWithStaff(system())
    const today = system().clock.now()
    const write = (
      day: number,
      action: 'session.started' | 'session.refused' | 'access.refused',
      count?: number,
    ) =>
      system().db.transaction((trx) =>
        appendEvent(trx, {
          ...(action === 'session.refused'
            ? {
                actor: stranger(),
                officeId: office.id,
                subject: { kind: 'user', id: clerk.user.id } as const,
              }
            : { actor: clerk.person, subject: nothing }),
          ...{
            at: (today - day * days(1)) as typeof today,
            action,
            ...(count && { details: { count } }),
          },
        }),
      )
    await write(1, 'session.started')
    await write(1, 'session.refused')
    await write(0, 'session.refused', 7)
    await write(0, 'session.started')
    await write(0, 'access.refused')
    await write(40, 'session.started')
    const [people, byDay] = await rowsOf(second.person, 'accesses')
    // Each came in once before.
    expect(people).toEqual([
      ['Iván Cruz', 3, 8, 1],
      ['Óscar Méndez', 1, 0, 0],
      [expect.stringContaining('Núñez'), 1, 0, 0],
    ])
    expect(byDay).toEqual([
      ['19 nov 2026', 1, 1, 0],
      ['20 nov 2026', 4, 7, 1],
    ])
  })

  test('times: from the upload to the last signature, and of sessions from their opening', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    const ids = []
    for (let count = 0; count < 3; count += 1) ids.push((await upload(system(), clerk.person)).id)
    const uploaded = system().clock.now()
    for (const [index, id] of ids.entries())
      await system().db.transaction((trx) =>
        trx
          .updateTable('documents')
          .set({ state: 'signed', state_since: (uploaded + hours(10 ** index)) as typeof uploaded })
          .where('id', '=', id)
          .execute(),
      )
    const session = randomUUID()
    for (const [action, after] of [
      ['signing-session.opened', 0],
      ['signing-session.completed', 5],
    ] as const)
      await system().db.transaction((trx) =>
        appendEvent(trx, {
          ...{ actor: second.person, at: (uploaded + hours(after)) as typeof uploaded, action },
          subject: { kind: 'signing-session', id: session },
        }),
      )
    system().wait(days(10))
    const [kinds, months, sessions] = await rowsOf(clerk.person, 'times')
    const [[name, count, median, highest]] = kinds as [[string, number, number, number]]
    expect([name, count]).toEqual(['Escritura', 3])
    expect(median / hours(10)).toBeCloseTo(1, 1)
    expect(highest / hours(100)).toBeCloseTo(1, 1)
    expect(months).toHaveLength(1)
    expect(sessions).toEqual(
      [['Sesiones de firma', 1, expect.closeTo(hours(5), -6)]].map((row) => [...row, row[2]]),
    )
  })

  test('acts, numbers and certificates: each counted by what it is', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    await upload(system(), clerk.person, 'Compraventa')
    system().wait(minutes(1))
    await upload(system(), clerk.person, 'compraventa')
    const { id: documentId } = await upload(system(), clerk.person)
    expect(await rowsOf(clerk.person, 'acts')).toEqual([
      [
        ['Compraventa', 2, 0, 0, 0, 0, 2],
        ['Sin acto', 1, 0, 0, 0, 0, 1],
      ],
    ])
    await moveSeries(system(), second.person, 10)
    await takeNumber(system(), clerk.person, {
      ...{ documentId, seriesId: INSTRUMENT_SERIES, number: 15 },
    })
    await moveSeries(system(), second.person, 16)
    const [[series]] = (await rowsOf(clerk.person, 'numbers')) as [[unknown[]]]
    expect(series).toEqual([expect.any(String), 5, 0, 0, 0, 1, 1])
    expect(await rowsOf(clerk.person, 'certificates')).toEqual([])
  })

  test('constancias: the cost is that of the day of issue; without one, it says so', async () => {
    const { office, admin, clerk: member } = await anOfficeWithStaff(system())
    const clerk = member.person
    const id = ServiceProviderId.parse(randomUUID())
    const at = system().clock.now()
    await system().db.transaction((trx) =>
      insertServiceProvider(trx, {
        ...{ id, officeId: office.id, kind: 'constancia', name: 'Prestador', position: 1 },
        ...{ url: 'https://psc.example/', username: null, sealed: null, policy: null },
        ...{ state: 'active', stateSince: at, stateBy: null, cost: null },
      }),
    )
    await changeProviderCost(system(), admin.person, { providerId: id, cost: 1250 })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'provider.cost-changed',
      details: { cost: 1250, from: null },
    })
    for (const cost of [1250, null]) {
      const { id: documentId } = await upload(system(), clerk)
      await system().db.transaction((trx) =>
        trx
          .insertInto('constancias')
          .values({
            ...{ id: randomUUID(), office_id: clerk.officeId, document_id: documentId, version: 1 },
            ...{ sha256: 'a'.repeat(64), state: 'issued', requested_at: at, requested_by: null },
            ...{ attempts: 1, next_attempt_at: null, last_error: null, provider_id: id },
            ...{ request: null, answer: null, time: at, policy: null, authority: null },
            ...{ issued_at: at, cost_cents: cost },
          })
          .execute(),
      )
    }
    expect(await rowsOf(clerk, 'constancias')).toEqual([[['noviembre de 2026', 2, 0, 0, 1250, 1]]])
    await system().db.transaction((trx) =>
      trx
        .updateTable('constancias')
        .set({ cost_cents: null })
        .where('office_id', '=', clerk.officeId)
        .execute(),
    )
    expect(await rowsOf(clerk, 'constancias')).toEqual([
      [['noviembre de 2026', 2, 0, 0, 'Sin costo registrado', 2]],
    ])
  })

  test('a file at once refuses what is too long, and begins with the mark of UTF-8', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    for (let count = 0; count < 3; count += 1) await upload(system(), clerk.person)
    const asked = { kind: 'documents' } as const
    const long = exportReport(system(), clerk.person, asked, { format: 'csv', most: 2 })
    expect(await outcomeOf(long)).toBe('report-too-long')
    const file = await exportReport(system(), clerk.person, asked, { format: 'csv' })
    const content = await text(Readable.from(file.chunks))
    expect(content.startsWith('\ufeffTipo,Borradores')).toBe(true)
    expect(content).toContain('\r\n\r\nMes,Documentos\r\nnoviembre de 2026,3\r\n')
  })

  test('files at once are made two at a time, and no more than eight of one person wait', async () => {
    const { admin, clerk } = await anOfficeWithStaff(system())
    let [running, most] = [0, 0]
    const watched: TestSystem = {
      ...system(),
      reports: {
        async *write(...asked) {
          running += 1
          most = Math.max(most, running)
          yield* system().reports.write(...asked)
          running -= 1
        },
      },
    }
    const asked = { kind: 'documents' } as const
    const files = (person: Person, count: number) =>
      Array.from({ length: count }, () =>
        outcomeOf(exportReport(watched, person, asked, { format: 'xlsx' })),
      )
    const outcomes = await Promise.all([...files(admin.person, 20), ...files(clerk.person, 1)])
    expect(outcomes.filter((outcome) => outcome === 'too-many-attempts')).toHaveLength(12)
    expect(outcomes.at(-1)).toBe('done')
    expect(most).toBe(2)
  })

  test('the index as a file at once refuses what is too long, but as a text', async () => {
    const { admin, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), admin.person, 7)
    for (let count = 0; count < 3; count += 1) {
      const document = await upload(system(), clerk.person)
      await takeNumber(system(), clerk.person, {
        ...{ documentId: document.id, seriesId: INSTRUMENT_SERIES, number: 7 + count },
      })
    }
    const index = (format: ReportFormat) =>
      exportInstruments(system(), clerk.person, {}, { format, most: 2 })
    expect(await outcomeOf(index('xlsx'))).toBe('report-too-long')
    expect(await outcomeOf(index('pdf'))).toBe('report-too-long')
    expect(await text(Readable.from((await index('csv')).chunks))).toContain('\r\n9,9,')
  })

  test.each(CountedKind.options)(
    'a file of %s with nothing to count says so, and is a whole one',
    async (kind) => {
      const { admin } = await anOfficeWithStaff(system())
      const asked = { kind, from: '2019-01-01', to: '2019-12-31' } as never
      const fileAs = (format: ReportFormat) =>
        exportReport(system(), admin.person, asked, { format })
      const written = await text(Readable.from((await fileAs('csv')).chunks))
      expect(written.trim().split('\r\n').length).toBeGreaterThan(0)
      expect(written).toMatch(/^\ufeff[A-ZÁÉÍÓÚ]/)
      const book = await buffer(Readable.from((await fileAs('xlsx')).chunks))
      // Names in the directory of a ZIP are not compressed.
      expect(book.toString('latin1')).toContain('xl/worksheets/sheet1.xml')
    },
  )
})
