import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findSeries } from '#server/db/documents/numbers/number-series.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { insertRun } from '#server/db/reports/report-runs.ts'
import { dayOf } from '#server/domain/day.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ReportRunId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { ReportFormat } from '#server/domain/reports/report-format.ts'
import { actionToRead, ReportKind } from '#server/domain/reports/report-kind.ts'
import { RunQuery } from '#server/domain/reports/report-run.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { periodOf } from './read-report.ts'

export const RequestReport = z.object({
  kind: ReportKind,
  format: ReportFormat,
  ...RunQuery.shape,
})
export type RequestReport = z.infer<typeof RequestReport>

/**
 * Asks for a report that a job makes apart. A person has one at a time.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` for an unknown series; `report-under-way`
 */
export async function requestReport(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { kind, format, ...query }: RequestReport,
): Promise<ReportRunId> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, actionToRead(kind), own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const { seriesId = INSTRUMENT_SERIES, first, last } = query
  if (kind === 'instruments' && !(await findSeries(db, officeId, seriesId)))
    throw new Problem('not-found', `no series ${seriesId}`)
  const id = ReportRunId.parse(randomUUID())
  // As it was when it was asked for: "this year so far" is another one when the job comes to it.
  const fixed =
    kind === 'instruments'
      ? { seriesId, first, last, from: query.from, to: query.to }
      : periodOf({ kind, from: query.from, to: query.to }, dayOf(at, office.timeZone))
  await db.transaction(async (trx) => {
    const isNew = await insertRun(trx, {
      ...{ id, officeId, userId, month: null, kind, format, query: fixed },
      ...{ state: 'waiting', stateSince: at, createdAt: at, dueAt: at, attempts: 0 },
      ...{ rowsRead: 0, percent: 0, file: null },
    })
    if (!isNew) throw new Problem('report-under-way', `${userId} has a report that is not made yet`)
    await appendEvent(trx, {
      ...{ actor, at, action: 'report.requested', subject: { kind: 'office', id: officeId } },
      details: { report: kind, format, run: id },
    })
  })
  return id
}
