import { appendEvent } from '#server/db/audit/audit-events.ts'
import { lockFolios } from '#server/db/documents/documents.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { findRun, listRuns, replaceRun } from '#server/db/reports/report-runs.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { ReportRunId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { actionToRead } from '#server/domain/reports/report-kind.ts'
import type { ReportRun } from '#server/domain/reports/report-run.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { clearPieces } from './clear-pieces.ts'

/** Shown of each list. */
const MOST_SHOWN = 20

/**
 * The reports that the user asked for, and those of months that the user may read, newest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listReportRuns(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<{ own: ReportRun[]; monthly: ReportRun[] }> {
  const asking = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'reports.read', asking, clock.now())
  const { officeId, userId } = person
  const own = await listRuns(db, { officeId, userId, limit: MOST_SHOWN })
  const monthly = await listRuns(db, { officeId, userId: null, limit: MOST_SHOWN })
  return {
    own: own.filter(isShown),
    monthly: monthly.filter((run) => isShown(run) && mayRead(person, run)),
  }
}

/** What was discarded is not shown. */
const isShown = ({ state }: ReportRun) => state !== 'discarded'

const mayRead = ({ roles }: Person, { kind }: ReportRun) => isAllowed(roles, actionToRead(kind))

/**
 * Ends a report that the user asked for: it is made no further, or its file is removed.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `wrong-state` if it is over
 */
export async function discardReport(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  id: ReportRunId,
): Promise<void> {
  const at = clock.now()
  const run = await findOwnRun(db, actor, id, at)
  if (run.userId === null) throw new Problem('not-found', `${id} is a report of a month`)
  if (run.state !== 'waiting' && run.state !== 'ready')
    throw new Problem('wrong-state', `${id} is ${run.state}`)
  await db.transaction(async (trx) => {
    await lockFolios(trx, run.officeId)
    const seen = await findRun(trx, id)
    if (!seen || (seen.state !== 'waiting' && seen.state !== 'ready'))
      throw new Problem('wrong-state', `${id} is over`)
    await replaceRun(trx, seen, { ...seen, state: 'discarded', stateSince: at, file: null })
    if (seen.file) await giveUpFile(trx, { officeId: seen.officeId, sha256: seen.file.sha256 }, at)
    await appendEvent(trx, {
      ...{ actor, at, action: 'report.discarded', subject: { kind: 'office', id: run.officeId } },
      details: { report: run.kind, format: run.format, run: id },
    })
  })
  await clearPieces(db, id)
}

export type OpenedReport = { run: ReportRun; file: NonNullable<ReportRun['file']> }

/**
 * The file of a report, for a download.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found`, also if the file is not there yet or is gone
 */
export async function openReport(
  { db, eventQueue, clock }: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  id: ReportRunId,
): Promise<OpenedReport> {
  const at = clock.now()
  const run = await findOwnRun(db, actor, id, at)
  const { file } = run
  if (run.state !== 'ready' || !file || file.expiresAt <= at)
    throw new Problem('not-found', `${id} has no file`)
  await eventQueue.append({
    ...{ actor, at, action: 'report.downloaded', subject: { kind: 'office', id: run.officeId } },
    details: { report: run.kind, format: run.format, run: id },
  })
  return { run, file }
}

/** A run of the user, or of a month; others are not found. */
async function findOwnRun(
  db: System['db'],
  actor: Actor,
  id: ReportRunId,
  at: ReturnType<System['clock']['now']>,
): Promise<ReportRun> {
  const person = mustBeSignedIn(actor)
  const run = await findRun(db, id)
  const isOwn = run?.officeId === person.officeId && [null, person.userId].includes(run.userId)
  if (!run || !isOwn) throw new Problem('not-found', `no report ${id} of ${person.userId}`)
  await authorizeOrRecord(db, actor, actionToRead(run.kind), person, at)
  return run
}
