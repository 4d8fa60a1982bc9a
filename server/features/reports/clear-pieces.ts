import type { Database } from '#server/db/database.ts'
import { deletePieces } from '#server/db/reports/report-runs.ts'
import type { ReportRunId } from '#server/domain/ids.ts'

const AT_ONCE = 50

/** Deletes the rows of a file on its way. After a crash in between, the end of the run's file deletes the rest. */
export async function clearPieces(db: Database, runId: ReportRunId): Promise<void> {
  while ((await db.transaction((trx) => deletePieces(trx, runId, AT_ONCE))) >= AT_ONCE);
}
