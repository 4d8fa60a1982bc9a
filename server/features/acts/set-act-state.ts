import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findAct, lockActs, upsertAct } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Act } from '#server/domain/signing/act/act.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type SetActState = { actId: ActId; state: Act['state'] }

/**
 * Retires an act, so that no new session is made for it, or uses it again. A repeated request changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`
 */
export async function setActState(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { actId, state }: SetActState,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const subject = { kind: 'act', id: actId } as const
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at, subject)
  const { officeId, userId } = person
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    await lockActs(trx, officeId)
    const act = await findAct(trx, officeId, actId)
    if (!act) throw new Problem('not-found', `no act ${actId}`)
    if (act.state === state) return
    await upsertAct(trx, { ...act, state, at, by: userId })
    const action = state === 'retired' ? 'act.retired' : 'act.restored'
    await appendEvent(trx, { actor, at, action, subject, details: { name: act.name } })
  })
}
