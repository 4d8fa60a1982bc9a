import type { Person } from '#server/domain/identity/actor.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { isProblem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** Adds an `access.refused` event for a page that needs `action`, which no role of the person allows. */
export async function recordRefusedPage(
  { db, clock }: System,
  person: Person,
  action: Action,
): Promise<void> {
  try {
    await authorizeOrRecord(db, person, action, person, clock.now())
  } catch (error) {
    if (!isProblem(error, 'forbidden')) throw error
  }
}
