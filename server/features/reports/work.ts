import type { Office } from '#server/domain/identity/office.ts'
import type { ReportRun } from '#server/domain/reports/report-run.ts'
import type { System } from '#server/system.ts'

/** How a run is worked on. */
export type Work = {
  run: ReportRun
  office: Office
  /** Writes down how far it is; false if another process works on it, or it was discarded. */
  save(done: Saved): Promise<boolean>
  /** Whether to stop at the next place. */
  isStopping(): boolean
}

export type Saved = {
  progress: string
  rowsRead: number
  percent: number
  /** In the same transaction. */
  also?: Parameters<System['db']['transaction']>[0]
}
