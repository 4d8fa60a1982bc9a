import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findAct, listActs, lockActs, upsertAct } from '#server/db/signing-sessions/acts.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ActId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { type ActData, MOST_ACTS } from '#server/domain/signing/act/act.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { factsOfAct } from './facts-of-act.ts'
import { mustHaveFreeName } from './must-have-free-name.ts'

export type AddAct = {
  data: ActData
  /** A UUID made by the page of the form: the same one adds no second act. */
  once: string
}

/**
 * Adds an act to the office's list.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `act-known` if another one has the name; `too-many-acts`
 */
export async function addAct(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { data, once }: AddAct,
): Promise<ActId> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  const { officeId, userId } = person
  const id = ActId.parse(idMadeOnce(userId, once))
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    await lockActs(trx, officeId)
    if (await findAct(trx, officeId, id)) return
    const others = await listActs(trx, officeId)
    if (others.length >= MOST_ACTS) throw new Problem('too-many-acts', `${others.length}`)
    mustHaveFreeName(others, { id, name: data.name })
    await upsertAct(trx, { ...data, id, officeId, state: 'active', at, by: userId })
    await appendEvent(trx, {
      actor,
      at,
      action: 'act.added',
      subject: { kind: 'act', id },
      details: factsOfAct(data),
    })
  })
  return id
}
