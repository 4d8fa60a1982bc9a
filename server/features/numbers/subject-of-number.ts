import type { AuditSubject } from '#server/domain/audit/event.ts'
import type { NumberRange } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'

/** A number, or a range of them, in the log: its id is the end of the address of its page. */
export const subjectOfNumber = (series: NumberSeries, { first }: NumberRange) =>
  ({ kind: 'number', id: `${series.id}/${first}` }) as const satisfies AuditSubject
