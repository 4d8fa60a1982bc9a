import { z } from 'zod'
import { ReadDocumentReport } from '#server/features/reports/read-document-report.ts'

const { from, to } = ReadDocumentReport.shape

/** The query parameters; invalid ones are ignored. */
export const PeriodQuery = z.object({ from: from.catch(undefined), to: to.catch(undefined) })
