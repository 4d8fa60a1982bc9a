import { listActs as listRows } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Act } from '#server/domain/signing/act/act.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * The acts of the office by name, retired ones too.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listActs(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Act[]> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  return await listRows(db, officeId)
}
