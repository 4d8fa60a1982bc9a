import { days, type Instant } from '#server/domain/time.ts'
import type { AuditEvent } from './event.ts'

/** What the dashboard counts. Each is the number of events of one kind. */
export const FIGURES = {
  uploaded: 'document.uploaded',
  signed: 'document.signed',
  completed: 'signing-session.completed',
  verified: 'document.verified',
} as const satisfies Record<string, AuditEvent['action']>

export type Figure = keyof typeof FIGURES

/** The figure that this event increments. */
export function figureOf({
  action,
  result,
}: Pick<AuditEvent, 'action' | 'result'>): Figure | undefined {
  if (result !== 'success') return undefined
  return (Object.keys(FIGURES) as Figure[]).find((figure) => FIGURES[figure] === action)
}

/** Days since 1970 in UTC: a line of weeks does not show in which hour a day begins. */
export const dayNumberOf = (at: Instant): number => Math.floor(at / days(1))
