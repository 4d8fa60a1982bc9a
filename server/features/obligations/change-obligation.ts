import { appendEvent } from '#server/db/audit/audit-events.ts'
import { markRecount } from '#server/db/obligations/deadline-marks.ts'
import {
  listObligations,
  lockObligations,
  upsertObligation,
} from '#server/db/obligations/obligations.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ObligationId } from '#server/domain/ids.ts'
import {
  changedFactsOf,
  hasNumber,
  type Obligation,
  type ObligationData,
} from '#server/domain/obligations/obligation.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'
import { mustHaveFreeName } from './must-have-free-name.ts'

export type ChangeObligation = {
  obligationId: ObligationId
  data: ObligationData
  /** The `at` of the obligation on the screen; null for one of the program that the office has not changed. */
  seenAt: Instant | null
}

/**
 * Changes an obligation; one of the program that is saved becomes the office's own. A job counts its open deadlines again.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `stale-version` if it changed since `seenAt`; `obligation-known` if
 *   another one has the name; `bad-request` if its term is counted from something else
 */
export async function changeObligation(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { obligationId: id, data, seenAt }: ChangeObligation,
): Promise<void> {
  const at = clock.now()
  const subject = { kind: 'obligation', id } as const
  const { person, office } = await authorizedOffice(
    { db },
    actor,
    'obligations.manage',
    at,
    subject,
  )
  await db.transaction(async (trx) => {
    await lockObligations(trx, office.id)
    const all = await listObligations(trx, office)
    const seen = mustBeIn(all, id)
    const changed = changedFactsOf(seen, data)
    if (Object.keys(changed).length === 0 && seen.at !== null) return
    if (seen.at !== seenAt) throw new Problem('stale-version', `${id} is of ${seen.at}`)
    if (seen.term.basis !== data.term.basis) throw new Problem('bad-request', 'another basis')
    mustHaveFreeName(all, { id, name: data.name })
    await upsertObligation(trx, { ...seen, ...data, at, by: person.userId })
    await markRecount(trx, { officeId: office.id, at })
    const details = { name: data.name, ...changed }
    await appendEvent(trx, { actor, at, action: 'obligation.changed', subject, details })
  })
}

export type SetObligationState = { obligationId: ObligationId; state: Obligation['state'] }

/**
 * Switches an obligation off, which withdraws its open deadlines, or on, which brings them back. A repeated request changes
 * nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `obligation-without-term` for one whose days the office has not noted
 */
export async function setObligationState(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { obligationId: id, state }: SetObligationState,
): Promise<void> {
  const at = clock.now()
  const subject = { kind: 'obligation', id } as const
  const { person, office } = await authorizedOffice(
    { db },
    actor,
    'obligations.manage',
    at,
    subject,
  )
  await db.transaction(async (trx) => {
    await lockObligations(trx, office.id)
    const seen = mustBeIn(await listObligations(trx, office), id)
    if (seen.state === state) return
    if (state === 'active' && !hasNumber(seen.term))
      throw new Problem('obligation-without-term', `${id} has no days`)
    await upsertObligation(trx, { ...seen, state, at, by: person.userId })
    await markRecount(trx, { officeId: office.id, at })
    const action = state === 'off' ? 'obligation.switched-off' : 'obligation.switched-on'
    await appendEvent(trx, { actor, at, action, subject, details: { name: seen.name } })
  })
}

function mustBeIn(all: readonly Obligation[], id: ObligationId): Obligation {
  const found = all.find((one) => one.id === id)
  if (!found) throw new Problem('not-found', `no obligation ${id}`)
  return found
}
