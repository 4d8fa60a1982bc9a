import { findChecklist, listOwnChecklists } from '#server/db/signing-sessions/act-checklists.ts'
import { findAct, listActs } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Act } from '#server/domain/signing/act/act.ts'
import type { Checklist } from '#server/domain/signing/act/checklist.ts'
import { suggestedChecklist } from '#server/domain/signing/act/default-checklists.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ActWithList = { act: Act; checklist: Checklist }

/**
 * The acts that the office uses, each with its list.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listChecklists(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<ActWithList[]> {
  const asker = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'office.read', asker, clock.now())
  const own = await listOwnChecklists(db, officeId)
  const acts = (await listActs(db, officeId)).filter(({ state }) => state === 'active')
  return acts.map((act) => ({
    act,
    checklist: own.get(act.id) ?? suggestedChecklist(officeId, act.id),
  }))
}

/**
 * An act and its list, for a user who may change it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readChecklist(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { actId }: { actId: ActId },
): Promise<ActWithList> {
  const asker = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'checklists.manage', asker, clock.now())
  const act = await findAct(db, officeId, actId)
  if (!act) throw new Problem('not-found', `no act ${actId}`)
  return { act, checklist: await findChecklist(db, officeId, actId) }
}
