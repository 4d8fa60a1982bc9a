import { z } from 'zod'
import { isExtendable, runningTerm } from '#server/domain/care/arco-request.ts'
import { dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import type { System } from '#server/system.ts'
import { commitArcoStep } from './commit-arco-step.ts'
import { findArco } from './find-arco.ts'

export const ExtendTerm = z.object({ requestId: ArcoRequestId, reason: Reason })
export type ExtendTerm = z.infer<typeof ExtendTerm>

/**
 * Extends the term that runs by the same number of days. A request has one extension.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `arco-state` if it had one, is over, or its term is
 *   over
 */
export async function extendTerm(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { requestId, reason }: ExtendTerm,
): Promise<void> {
  const at = clock.now()
  const asked = { requestId, action: 'arco.answer', at } as const
  const { person, office, request } = await findArco({ db }, actor, asked)
  const term = runningTerm(request)
  const today = dayOf(at, office.timeZone)
  if (term === null || !isExtendable(request) || (request.dueOn ?? today) < today)
    throw new Problem('arco-state', `the term of ${requestId} cannot be extended`)
  await db.transaction((trx) =>
    commitArcoStep(trx, {
      ...{ actor, seen: request, action: 'arco.extended' },
      next: { ...request, extended: { term, on: today } },
      step: { kind: 'extended', at, by: person.userId, note: reason },
      details: { term, reason },
    }),
  )
}
