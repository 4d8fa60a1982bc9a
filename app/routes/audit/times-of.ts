import type { AuditEvent } from '#server/domain/audit/event.ts'

/** How many attempts an event stands for: equal failed ones are one event a minute. Undefined for a single one. */
export function timesOf({
  result,
  details: { count },
}: Pick<AuditEvent, 'result' | 'details'>): number | undefined {
  return result === 'refused' && typeof count === 'number' && count > 1 ? count : undefined
}
