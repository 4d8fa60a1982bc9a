import { z } from 'zod'
import { ReadReport } from '#server/features/reports/read-report.ts'

const { from, to } = ReadReport.shape

/** The query parameters; invalid ones are ignored. */
export const PeriodQuery = z.object({ from: from.catch(undefined), to: to.catch(undefined) })
