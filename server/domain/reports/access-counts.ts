import type { Day } from '#server/domain/day.ts'
import type { UserId } from '#server/domain/ids.ts'
import { type Counts, countOne } from './counts.ts'

/** What the report counts, by the events that tell of it. */
export const ACCESSES = {
  /** Sign-ins. */
  entered: ['session.started'],
  /** A wrong password, code or key, or too many of them. */
  refused: [
    'session.refused',
    'session.second-factor-refused',
    'session.step-up-refused',
    'session.throttled',
    'password.refused',
  ],
  /** A page or an act that their roles do not allow. */
  denied: ['access.refused'],
} as const

export type AccessName = keyof typeof ACCESSES

/** Who signed in to the office in a period, and what was refused. */
export type AccessCounts = {
  people: Partial<Record<UserId, Counts<AccessName>>>
  /** Events that name no person of the office. */
  unknown: Counts<AccessName>
  days: Partial<Record<Day, Counts<AccessName>>>
}

export const noAccesses = (): AccessCounts => ({ people: {}, unknown: {}, days: {} })

export type CountedAccess = {
  name: AccessName
  /** Undefined if no person of the office is named. */
  person: UserId | undefined
  day: Day
  /** Attempts that one event tells of. */
  times: number
}

export function countAccess(
  counts: AccessCounts,
  { name, person, day, times }: CountedAccess,
): void {
  const ofPerson = person === undefined ? counts.unknown : (counts.people[person] ?? {})
  if (person !== undefined) counts.people[person] = ofPerson
  countOne(ofPerson, name, times)
  const ofDay = counts.days[day] ?? {}
  counts.days[day] = ofDay
  countOne(ofDay, name, times)
}
