import { findOffice } from '#server/db/people/offices.ts'
import type { AuditSubject } from '#server/domain/audit/event.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { type Action, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** The caller, if a rule lets them pass, and their office. @throws {Problem} `not-signed-in`, `forbidden` */
export async function authorizedOffice(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  action: Action,
  at: Instant,
  subject?: AuditSubject,
): Promise<{ person: Person; office: Office }> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, action, own, at, subject)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
  return { person, office }
}
