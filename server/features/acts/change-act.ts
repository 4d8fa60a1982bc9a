import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findAct, listActs, lockActs, upsertAct } from '#server/db/signing-sessions/acts.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ActId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { type ActData, changedFactsOf } from '#server/domain/signing/act/act.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { factsOfAct } from './facts-of-act.ts'
import { mustHaveFreeName } from './must-have-free-name.ts'

export type ChangeAct = {
  actId: ActId
  /** The `at` of the act on the screen. */
  seenAt: Instant | null
  data: ActData
}

/**
 * Changes an act of the office's list. Sessions keep the one that they were made with.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `stale-version` if it changed since `seenAt`;
 *   `act-known` if another one has the name
 */
export async function changeAct(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { actId, seenAt, data }: ChangeAct,
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
    const changed = changedFactsOf(act, data)
    if (changed.length === 0) return
    if (act.at !== seenAt) throw new Problem('stale-version', `${actId} is of ${act.at}`)
    mustHaveFreeName(await listActs(trx, officeId), { id: actId, name: data.name })
    await upsertAct(trx, { ...act, ...data, at, by: userId })
    const details = { changed: changed.join(', '), ...factsOfAct(data) }
    await appendEvent(trx, { actor, at, action: 'act.changed', subject, details })
  })
}
