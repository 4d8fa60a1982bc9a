import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { lockFolios } from '#server/db/documents/documents.ts'
import { giveUpFile } from '#server/db/documents/unneeded-files.ts'
import { listEndedFiles, replaceRun } from '#server/db/reports/report-runs.ts'
import type { ReportRun } from '#server/domain/reports/report-run.ts'
import type { System } from '#server/system.ts'
import { clearPieces } from './clear-pieces.ts'

const AT_ONCE = 50

/** Removes the files of reports that waited long enough. Safe to run in two processes at once. */
export async function expireReports(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted) {
    const ended = await listEndedFiles(db, clock.now(), AT_ONCE)
    for (const run of ended) await expire({ db, clock }, run)
    if (ended.length < AT_ONCE) return
  }
}

async function expire({ db, clock }: Pick<System, 'db' | 'clock'>, run: ReportRun): Promise<void> {
  const at = clock.now()
  const { officeId, file } = run
  await db.transaction(async (trx) => {
    await lockFolios(trx, officeId)
    const next: ReportRun = { ...run, state: 'expired', stateSince: at, file: null }
    if (!(await replaceRun(trx, run, next))) return
    if (file) await giveUpFile(trx, { officeId, sha256: file.sha256 }, at)
    await appendSystemEvent(trx, {
      ...{ by: 'reportes', at, officeId, action: 'report.expired', result: 'success' },
      subject: { kind: 'office', id: officeId },
      details: { report: run.kind, format: run.format, run: run.id },
    })
  })
  await clearPieces(db, run.id)
}
