import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findOffice, replaceOffice } from '#server/db/people/offices.ts'
import { rescheduleReminders } from '#server/db/signing-sessions/reminders.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  newConflicts,
  OfficePolicies,
  POLICY_NAMES,
  type PolicyConflict,
  type PolicyName,
  policyChanges,
  seenText,
} from '#server/domain/offices/office-policies.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { remindersOf } from '#server/domain/signing/session/reminders.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ChangePolicies = {
  decided: Partial<OfficePolicies>
  /** What the page showed of each, as `seenText`; a policy without it is replaced whatever it is now. */
  seen?: Partial<Record<PolicyName, string>>
}

export type ChangePoliciesOutcome =
  | { kind: 'changed' }
  /** They were changed while the page was open; nothing was saved. */
  | { kind: 'stale'; names: PolicyName[]; now: OfficePolicies }
  /** They would contradict each other; nothing was saved. */
  | { kind: 'conflict'; conflicts: PolicyConflict[] }

/**
 * Changes policies of the office, all of them or none; the log keeps the old values.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changePolicies(
  system: System,
  actor: Actor,
  { decided, seen = {} }: ChangePolicies,
): Promise<ChangePoliciesOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  return await db.transaction(async (trx): Promise<ChangePoliciesOutcome> => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    const before = OfficePolicies.parse(office)
    const next = OfficePolicies.parse({ ...before, ...decided })
    const moved = movedSince(before, next, seen)
    if (moved.length > 0) return { kind: 'stale', names: moved, now: before }
    const conflicts = newConflicts(before, next)
    if (conflicts.length > 0) return { kind: 'conflict', conflicts }
    const details = policyChanges(before, next)
    if (Object.keys(details).length === 0) return { kind: 'changed' }
    await replaceOffice(trx, { ...office, ...next })
    if (next.reminders !== before.reminders)
      await rescheduleReminders(trx, office.id, remindersOf(next.reminders), at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.policies-changed',
      subject: { kind: 'office', id: office.id },
      details,
    })
    return { kind: 'changed' }
  })
}

/** The policies that are no longer as the page showed them, and that the change would overwrite. */
function movedSince(
  before: OfficePolicies,
  next: OfficePolicies,
  seen: Partial<Record<PolicyName, string>>,
): PolicyName[] {
  return POLICY_NAMES.filter((name) => {
    const now = seenText(before[name])
    return seen[name] !== undefined && seen[name] !== now && seenText(next[name]) !== now
  })
}
