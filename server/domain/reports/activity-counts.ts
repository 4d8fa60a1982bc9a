import type { UserId } from '#server/domain/ids.ts'
import { type Counts, countOne } from './counts.ts'
import type { Month } from './month.ts'

/** What the report counts of each person, by the event that tells of it. */
export const ACTIVITIES = {
  uploaded: 'document.uploaded',
  opened: 'signing-session.opened',
  signed: 'document.signed',
  copied: 'document.copy-recorded',
  cancelled: 'document.cancelled',
} as const

export type ActivityName = keyof typeof ACTIVITIES

/** What the people of the office did in a period. */
export type ActivityCounts = {
  people: Partial<Record<UserId, Counts<ActivityName>>>
  /** Signers without an account. */
  guests: Counts<ActivityName>
  /** Jobs and commands. */
  system: Counts<ActivityName>
  months: Partial<Record<Month, Counts<ActivityName>>>
}

export const noActivity = (): ActivityCounts => ({ people: {}, guests: {}, system: {}, months: {} })

export type CountedActivity = {
  name: ActivityName
  by: { kind: 'person'; id: UserId } | { kind: 'guest' } | { kind: 'system' }
  month: Month
}

export function countActivity(counts: ActivityCounts, { name, by, month }: CountedActivity): void {
  countOne(ofActor(counts, by), name)
  const ofMonth = counts.months[month] ?? {}
  counts.months[month] = ofMonth
  countOne(ofMonth, name)
}

function ofActor(counts: ActivityCounts, by: CountedActivity['by']): Counts<ActivityName> {
  if (by.kind === 'guest') return counts.guests
  if (by.kind === 'system') return counts.system
  const known = counts.people[by.id] ?? {}
  counts.people[by.id] = known
  return known
}
