import { findAct } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Act } from '#server/domain/signing/act/act.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** An act of the office. @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function readAct(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { actId }: { actId: ActId },
): Promise<Act> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', own, clock.now())
  const act = await findAct(db, officeId, actId)
  if (!act) throw new Problem('not-found', `no act ${actId}`)
  return act
}
