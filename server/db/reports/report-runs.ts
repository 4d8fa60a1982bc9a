import type { ReportRunRow } from '#server/db/tables/reports.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId, ReportRunId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Month } from '#server/domain/reports/month.ts'
import type { FileRow } from '#server/domain/reports/report-piece.ts'
import { ReportRun } from '#server/domain/reports/report-run.ts'
import type { Instant } from '#server/domain/time.ts'

/** False if the user has a report that is not made yet, or the office this one of the month. */
export async function insertRun(trx: Transaction, run: ReportRun): Promise<boolean> {
  const row = await trx
    .insertInto('report_runs')
    .values(toRow(run))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findRun(db: Reader, id: ReportRunId): Promise<ReportRun | undefined> {
  const row = await db.selectFrom('report_runs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

/** Where its count stands, as JSON; null before it began. */
export async function findProgress(db: Reader, id: ReportRunId): Promise<string | null> {
  const row = await db
    .selectFrom('report_runs')
    .select('progress')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.progress ?? null
}

/** The newest runs of a user; with null, those of months. */
export async function listRuns(
  db: Reader,
  { officeId, userId, limit }: { officeId: OfficeId; userId: UserId | null; limit: number },
): Promise<ReportRun[]> {
  const rows = await db
    .selectFrom('report_runs')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    // PostgreSQL takes `is null` for a range.
    .orderBy('user_id', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** The run that has waited longest. */
export async function findDueRun(db: Reader, now: Instant): Promise<ReportRun | undefined> {
  const row = await db
    .selectFrom('report_runs')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && toRun(row)
}

/** Files that are over, the oldest first. */
export async function listEndedFiles(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<ReportRun[]> {
  const rows = await db
    .selectFrom('report_runs')
    .selectAll()
    .where('state', '=', 'ready')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** The reports of a month. */
export async function listRunsOfMonth(
  db: Reader,
  officeId: OfficeId,
  month: Month,
): Promise<ReportRun[]> {
  const rows = await db
    .selectFrom('report_runs')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('month', '=', month)
    .where('month', 'is not', null)
    .execute()
  return rows.map(toRun)
}

/** Compare-and-swap: false if another process works on it, or it was discarded. @param progress kept if undefined */
export async function replaceRun(
  trx: Transaction,
  seen: Pick<ReportRun, 'id' | 'state' | 'dueAt'>,
  next: ReportRun,
  progress?: string,
): Promise<boolean> {
  const { id: _, progress: __, ...values } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('report_runs')
    .set(progress === undefined ? values : { ...values, progress })
    .where('id', '=', seen.id)
    .where('state', '=', seen.state)
    .where('due_at', '=', seen.dueAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether a report has this content. */
export async function isFileOfRun(
  db: Reader,
  { officeId, sha256 }: { officeId: OfficeId; sha256: Sha256 },
): Promise<boolean> {
  const row = await db
    .selectFrom('report_runs')
    .select('id')
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Appends rows to the file on its way. */
export async function insertPiece(
  trx: Transaction,
  { runId, place, rows }: { runId: ReportRunId; place: number; rows: readonly FileRow[] },
): Promise<void> {
  const row = { run_id: runId, place, rows: JSON.stringify(rows) }
  await trx.insertInto('report_pieces').values(row).execute()
}

/** The rows behind a place, in order. */
export async function listPieces(
  db: Reader,
  { runId, behind, limit }: { runId: ReportRunId; behind: number; limit: number },
): Promise<{ place: number; rows: FileRow[] }[]> {
  const rows = await db
    .selectFrom('report_pieces')
    .selectAll()
    .where('run_id', '=', runId)
    .where('place', '>', behind)
    .orderBy('place')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ place: row.place, rows: JSON.parse(row.rows) as FileRow[] }))
}

/** The first pieces, up to `limit`: a statement that deletes a million rows would stop other requests. @returns their number */
export async function deletePieces(
  trx: Transaction,
  runId: ReportRunId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('report_pieces')
    .where('run_id', '=', runId)
    .where(({ eb, selectFrom }) =>
      eb(
        'place',
        'in',
        selectFrom('report_pieces')
          .select('place')
          .where('run_id', '=', runId)
          .orderBy('place')
          .limit(limit),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

function toRun(row: ReportRunRow): ReportRun {
  const { file_name: name, sha256, bytes, expires_at: expiresAt } = row
  return ReportRun.parse({
    ...{ id: row.id, officeId: row.office_id, userId: row.user_id, month: row.month },
    ...{ kind: row.kind, format: row.format, query: JSON.parse(row.query) },
    ...{ state: row.state, stateSince: row.state_since, createdAt: row.created_at },
    ...{ dueAt: row.due_at, attempts: row.attempts, rowsRead: Number(row.rows_read) },
    percent: row.percent,
    file: sha256 === null ? null : { name, sha256, bytes: Number(bytes), expiresAt },
  })
}

const toRow = (run: ReportRun): ReportRunRow => ({
  ...{ id: run.id, office_id: run.officeId, user_id: run.userId, month: run.month },
  ...{ kind: run.kind, format: run.format, query: JSON.stringify(run.query) },
  ...{ state: run.state, state_since: run.stateSince, created_at: run.createdAt },
  ...{ due_at: run.dueAt, attempts: run.attempts, progress: null },
  ...{ rows_read: run.rowsRead, percent: run.percent },
  ...{ file_name: run.file?.name ?? null, sha256: run.file?.sha256 ?? null },
  ...{ bytes: run.file?.bytes ?? null, expires_at: run.file?.expiresAt ?? null },
})
