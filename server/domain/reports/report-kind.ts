import { z } from 'zod'

/** The reports that count: what they keep while they read does not grow with the rows. */
export const CountedKind = z.enum([
  'documents',
  'acts',
  'times',
  'activity',
  'accesses',
  'certificates',
  'numbers',
  'constancias',
])
export type CountedKind = z.infer<typeof CountedKind>

/** The reports of an office: those that count, and the index, which lists. */
export const ReportKind = z.enum(['instruments', ...CountedKind.options])
export type ReportKind = z.infer<typeof ReportKind>

/** Reports that name the people of the office. */
const OF_PEOPLE: readonly ReportKind[] = ['activity', 'accesses']

/** The action of `authorize` that allows a report of this kind to be read. */
export const actionToRead = (kind: ReportKind) =>
  OF_PEOPLE.includes(kind) ? ('reports.read-people' as const) : ('reports.read' as const)
