import { randomUUID } from 'node:crypto'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { listActiveAdministrators } from '#server/db/people/administrators.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { findUsers } from '#server/db/people/users.ts'
import { findUntoldMonth, insertMonth, noteTold } from '#server/db/reports/report-months.ts'
import { insertRun, listRunsOfMonth } from '#server/db/reports/report-runs.ts'
import { Day, dayOf } from '#server/domain/day.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { ReportRunId } from '#server/domain/ids.ts'
import { lastDayOf, type Month, monthBefore } from '#server/domain/reports/month.ts'
import type { ReportKind } from '#server/domain/reports/report-kind.ts'
import { queueMail } from '#server/steps/mail/queue-mail.ts'
import type { System } from '#server/system.ts'
import { monthText } from '#server/words/reports.ts'

/** Reports of a past month. Certificates that end and the register of numbers are of today. */
const OF_A_MONTH: readonly ReportKind[] = [
  'instruments',
  'documents',
  'acts',
  'times',
  'activity',
  'accesses',
  'constancias',
]

type Scheduling = Pick<System, 'db' | 'clock' | 'settings'>

/**
 * Asks for the reports of the last month of each office that wants them, and mails its administrators once they are made. Safe to run
 * in two processes at once.
 */
export async function scheduleReports(system: Scheduling, stopping?: AbortSignal): Promise<void> {
  for (const office of await listOffices(system.db)) {
    if (stopping?.aborted) return
    if (office.reportSchedule === 'monthly') await beginMonth(system, office)
    await tellWhenReady(system, office)
  }
}

async function beginMonth({ db, clock }: Scheduling, office: Office): Promise<void> {
  const at = clock.now()
  const month = monthBefore(dayOf(at, office.timeZone))
  const period = { from: Day.parse(`${month}-01`), to: lastDayOf(month) }
  await db.transaction(async (trx) => {
    if (!(await insertMonth(trx, { officeId: office.id, month, at }))) return
    for (const kind of OF_A_MONTH)
      await insertRun(trx, {
        ...{ id: ReportRunId.parse(randomUUID()), officeId: office.id, userId: null, month },
        ...{ kind, format: 'xlsx', query: period, state: 'waiting', stateSince: at },
        ...{ createdAt: at, dueAt: at, attempts: 0, rowsRead: 0, percent: 0, file: null },
      })
    await appendSystemEvent(trx, {
      ...{ by: 'reportes', at, officeId: office.id, action: 'report.scheduled', result: 'success' },
      ...{ subject: { kind: 'office', id: office.id }, details: { month } },
    })
  })
}

/** Names no client: only that they are ready, and where. */
async function tellWhenReady({ db, clock, settings }: Scheduling, office: Office): Promise<void> {
  const month = await findUntoldMonth(db, office.id)
  if (!month) return
  const runs = await listRunsOfMonth(db, office.id, month)
  if (runs.some(({ state }) => state === 'waiting')) return
  const at = clock.now()
  const ready = runs.filter(({ state }) => state === 'ready')
  const ids = await listActiveAdministrators(db, office.id)
  const users = await findUsers(db, ids)
  await db.transaction(async (trx) => {
    if (!(await noteTold(trx, { officeId: office.id, month, at }))) return
    if (ready.length === 0) return
    for (const user of users.values())
      await queueMail(trx, {
        ...{ officeId: office.id, to: { name: fullName(user), address: user.email }, at },
        facts: factsOf(month, ready.length, settings.publicOrigin),
      })
  })
}

const factsOf = (month: Month, count: number, origin: string) => ({
  kind: 'reports-ready' as const,
  ...{ month: monthText(month), count },
  page: `${origin}/dashboard/reports/files`,
})
