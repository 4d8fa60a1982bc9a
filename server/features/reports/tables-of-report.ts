import type { Counted } from '#server/domain/reports/counted-report.ts'
import { percentileOf } from '#server/domain/reports/durations.ts'
import { monthsBetween } from '#server/domain/reports/month.ts'
import type { ReportTable } from '#server/domain/reports/report-table.ts'
import { tablesOf } from '#server/words/reports/report-tables.ts'
import type { Report } from './read-report.ts'

/** The tables of a counted report, es-MX. */
export const tablesOfReport = (
  { people, period }: Pick<Report, 'people' | 'period'>,
  counted: Counted,
): ReportTable[] => tablesOf(counted, { people, period, percentileOf, monthsBetween })
