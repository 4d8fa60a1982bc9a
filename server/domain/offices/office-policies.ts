import type { z } from 'zod'
import { canonicalJson } from '#server/domain/canonical-json.ts'
import { Office } from '#server/domain/identity/office.ts'

/** What an office decides about its own work. Each value is right on its own; `conflictsOf` looks at all of them. */
export const OfficePolicies = Office.pick({
  /** Whether signatures require a timestamp, may get it later, or have none. */
  timestampPolicy: true,
  /** Whether a constancia is requested for each completed document. Pending ones stay pending. */
  constanciaPolicy: true,
  /** After how many days waiting signers are reminded; applies to those who wait now, too. */
  reminders: true,
  /** Whether the reports of each month are made by themselves. */
  reportSchedule: true,
  /** Whether signers must prove their presence right before signing. */
  presence: true,
  /** Whether an e.firma may be used in the server's memory, for browsers without scripts. */
  serverSigning: true,
  /** How long after activation users may go without a second factor. */
  secondFactorGrace: true,
  /** Largest document in bytes; existing ones stay. */
  uploadLimit: true,
  /** Idle timeout of sessions; applies to live ones, too. */
  sessionIdle: true,
  /** Maximum lifetime of a session; applies to new ones. */
  sessionAbsolute: true,
  publicNames: true,
  publicDownloads: true,
})
export type OfficePolicies = z.infer<typeof OfficePolicies>

export type PolicyName = keyof OfficePolicies

export const POLICY_NAMES = Object.keys(OfficePolicies.shape) as readonly PolicyName[]

/** Two policies that cannot hold together. */
export type PolicyConflict = {
  code: 'server-signing-without-second-factor' | 'idle-beyond-absolute'
  between: readonly [PolicyName, PolicyName]
}

/** The policies that contradict each other. */
export function conflictsOf(policies: OfficePolicies): PolicyConflict[] {
  return RULES.filter(({ isBroken }) => isBroken(policies)).map(({ code, between }) => ({
    code,
    between,
  }))
}

/** The conflicts that a change would bring; one that was there before does not block other changes. */
export function newConflicts(before: OfficePolicies, after: OfficePolicies): PolicyConflict[] {
  const known = new Set(conflictsOf(before).map(({ code }) => code))
  return conflictsOf(after).filter(({ code }) => !known.has(code))
}

type ConflictRule = PolicyConflict & { isBroken: (policies: OfficePolicies) => boolean }

const RULES: readonly ConflictRule[] = [
  {
    // A session that a password alone opens must not be one to which keys are sent.
    code: 'server-signing-without-second-factor',
    between: ['serverSigning', 'secondFactorGrace'],
    isBroken: ({ serverSigning, secondFactorGrace }) =>
      serverSigning === 'allowed' && secondFactorGrace === null,
  },
  {
    // The longer idle limit would never be reached.
    code: 'idle-beyond-absolute',
    between: ['sessionIdle', 'sessionAbsolute'],
    isBroken: ({ sessionIdle, sessionAbsolute }) => sessionIdle > sessionAbsolute,
  },
]

/** A policy as a page shows it: the form sends it back, so that a change made meanwhile is noticed. */
export const seenText = (value: OfficePolicies[PolicyName]): string => canonicalJson(value)

export type PolicyFact = string | number | null

/** What changed, as facts with the value before: `reminders` and `remindersBefore`. */
export function policyChanges(
  before: OfficePolicies,
  after: OfficePolicies,
): Record<string, PolicyFact> {
  return Object.fromEntries(
    POLICY_NAMES.filter((name) => before[name] !== after[name]).flatMap((name) => [
      [name, after[name]],
      [`${name}${BEFORE}`, before[name]],
    ]),
  )
}

/** Ends the name of the value that a fact of the log had before. */
const BEFORE = 'Before'
