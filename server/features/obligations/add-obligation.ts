import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  listObligations,
  lockObligations,
  upsertObligation,
} from '#server/db/obligations/obligations.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ObligationId } from '#server/domain/ids.ts'
import {
  factsOfObligation,
  MOST_OBLIGATIONS,
  type ObligationData,
} from '#server/domain/obligations/obligation.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'
import { mustHaveFreeName } from './must-have-free-name.ts'

export type AddObligation = {
  data: ObligationData
  /** A UUID made by the page of the form: the same one adds no second obligation. */
  once: string
}

/**
 * Adds an obligation of the office. Documents that are signed from now on get its deadlines.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `obligation-known` if another one has the name; `too-many-obligations`
 */
export async function addObligation(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { data, once }: AddObligation,
): Promise<ObligationId> {
  const at = clock.now()
  const { person, office } = await authorizedOffice({ db }, actor, 'obligations.manage', at)
  const id = ObligationId.parse(idMadeOnce(person.userId, once))
  await db.transaction(async (trx) => {
    await lockObligations(trx, office.id)
    const others = await listObligations(trx, office)
    if (others.some((one) => one.id === id)) return
    if (others.length >= MOST_OBLIGATIONS)
      throw new Problem('too-many-obligations', `${others.length}`)
    mustHaveFreeName(others, { id, name: data.name })
    const written = { officeId: office.id, at, by: person.userId }
    await upsertObligation(trx, { ...data, id, state: 'active', ...written })
    await appendEvent(trx, {
      ...{ actor, at, action: 'obligation.added', subject: { kind: 'obligation', id } },
      details: factsOfObligation(data),
    })
  })
  return id
}
