import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import { NumberSeriesId, OfficeId, ReportRunId, Sha256, UserId } from '#server/domain/ids.ts'
import { days, Instant } from '#server/domain/time.ts'
import { Month } from './month.ts'
import { ReportFormat } from './report-format.ts'
import { ReportKind } from './report-kind.ts'

/** `waiting`: to be made, or being made. `discarded`: by the user. `expired`: the file is gone. */
export const RunState = z.enum(['waiting', 'ready', 'failed', 'discarded', 'expired'])
export type RunState = z.infer<typeof RunState>

/** What a report is asked for with. */
export const RunQuery = z.object({
  from: Day.optional(),
  to: Day.optional(),
  /** Of the index. */
  seriesId: NumberSeriesId.optional(),
  first: SeriesNumber.optional(),
  last: SeriesNumber.optional(),
})
export type RunQuery = z.infer<typeof RunQuery>

/** A report that is made apart, by a job. */
export const ReportRun = z.object({
  id: ReportRunId,
  officeId: OfficeId,
  /** Null for the reports of a month, which are the office's. */
  userId: UserId.nullable(),
  month: Month.nullable(),
  kind: ReportKind,
  format: ReportFormat,
  query: RunQuery,
  state: RunState,
  stateSince: Instant,
  createdAt: Instant,
  /** One process has the exclusive right to work on it until then. */
  dueAt: Instant,
  /** Failures without progress in between. */
  attempts: z.int().nonnegative(),
  rowsRead: z.int().nonnegative(),
  /** How much is done, as far as it is known. */
  percent: z.int().min(0).max(100),
  /** Null until it is ready, and after the file is gone. */
  file: z
    .object({ name: z.string(), sha256: Sha256, bytes: z.int().nonnegative(), expiresAt: Instant })
    .nullable(),
})
export type ReportRun = z.infer<typeof ReportRun>

/** How long a file waits. */
export const FILE_LIFETIME = days(7)

/** A run that fails so often without progress is given up. */
export const MOST_ATTEMPTS = 5
