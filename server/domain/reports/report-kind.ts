import { z } from 'zod'

/** The reports of an office. */
export const ReportKind = z.enum(['documents', 'instruments'])
export type ReportKind = z.infer<typeof ReportKind>
